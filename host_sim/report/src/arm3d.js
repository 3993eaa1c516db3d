// An arm as its links: a line from each joint to the next and to what is fixed there, a ball at each joint, its tips.
import * as THREE from 'three';

const frameOf = (position, rotation) => {
  const [a, b, c, d, e, f, g, h, i] = rotation;
  return new THREE.Matrix4().set(a, b, c, position[0], d, e, f, position[1], g, h, i, position[2], 0, 0, 0, 1);
};

export class Arm3D {
  constructor(arm, data, thickness) {
    this.arm = arm;
    this.q = arm.joints.map((_, j) => data.column(`${arm.name}.q${j}`));
    const [x, y, z, w, i, j, k] = arm.base;
    this.base = new THREE.Matrix4().compose(new THREE.Vector3(x, y, z), new THREE.Quaternion(i, j, k, w), new THREE.Vector3(1, 1, 1));
    this.fixed = arm.joints.map((joint) => frameOf(joint.position, joint.rotation));
    this.axis = arm.joints.map((joint) => new THREE.Vector3(...joint.axis));
    this.frame = arm.joints.map(() => new THREE.Matrix4());
    this.group = new THREE.Group();
    const solid = (geometry, role) => {
      const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({roughness: 0.7}));
      mesh.material.userData.role = role;
      this.group.add(mesh);
      return mesh;
    };
    const rod = new THREE.CylinderGeometry(thickness, thickness, 1, 16).translate(0, 0.5, 0);
    this.joints = arm.joints.map(() => solid(new THREE.SphereGeometry(1.7 * thickness, 20, 14), 'trail'));
    this.tips = arm.tips.map((tip) => solid(new THREE.SphereGeometry(tip.radius, 32, 20), 'body'));
    // From the parent's joint to each joint, and from a joint to what is fixed to its link.
    this.links = [...arm.joints.map((joint, n) => ({from: joint.parent, to: n})), ...arm.ends.map((end) => ({from: end.joint, end: new THREE.Vector3(...end.at)})),
      ...arm.tips.map((tip) => ({from: tip.joint, end: new THREE.Vector3(...tip.centre)}))].map((link) => ({...link, mesh: solid(rod, 'ground')}));
  }
  origin(joint) { return new THREE.Vector3().setFromMatrixPosition(joint < 0 ? this.base : this.frame[joint]); }
  // Forward kinematics, as the core has it: the fixed frame, then the joint.
  place(i) {
    this.arm.joints.forEach((joint, n) => {
      const q = this.q[n][i];
      const motion = joint.slides ? new THREE.Matrix4().makeTranslation(...this.axis[n].clone().multiplyScalar(q).toArray()) : new THREE.Matrix4().makeRotationAxis(this.axis[n], q);
      this.frame[n].copy(joint.parent < 0 ? this.base : this.frame[joint.parent]).multiply(this.fixed[n]).multiply(motion);
      this.joints[n].position.copy(this.origin(n));
    });
    this.arm.tips.forEach((tip, n) => this.tips[n].position.copy(new THREE.Vector3(...tip.centre).applyMatrix4(this.frame[tip.joint])));
    for (const {from, to, end, mesh} of this.links) {
      const a = this.origin(from), b = end ? end.clone().applyMatrix4(this.frame[from]) : this.origin(to);
      const length = a.distanceTo(b);
      mesh.visible = length > 1e-9;
      mesh.position.copy(a);
      mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), b.sub(a).normalize());
      mesh.scale.set(1, Math.max(length, 1e-9), 1);
    }
  }
  // Points that it reaches in the run.
  reach(samples) {
    const points = [];
    for (let k = 0; k <= 20; ++k) {
      this.place(Math.round(k * (samples - 1) / 20));
      points.push(...this.arm.joints.map((_, n) => this.origin(n)), ...this.tips.map((t) => t.position.clone()));
    }
    return points;
  }
}
