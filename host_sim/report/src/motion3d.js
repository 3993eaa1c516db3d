// A spatial scene with WebGL. World z points up.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {colour, modeColour, onTheme} from './theme.js';
import {Arm3D} from './arm3d.js';
import {reach} from './view.js';

function solid(shape, large) {
  switch (shape.form) {
    case 'radius': return new THREE.SphereGeometry(shape.size[0], 48, 32);
    case 'semi_axes': return new THREE.SphereGeometry(1, 48, 32).scale(...shape.size);
    case 'half_extents': return new THREE.BoxGeometry(...shape.size.map((h) => 2 * h));
    case 'radius_half_length': return new THREE.CapsuleGeometry(shape.size[0], 2 * shape.size[1], 12, 32).rotateX(Math.PI / 2);
    case 'normal': {
      const n = new THREE.Vector3(...shape.size);
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), n);
      return new THREE.PlaneGeometry(large, large).applyQuaternion(turn).translate(...n.multiplyScalar(shape.offset).toArray());
    }
    default: return null;
  }
}

export class Motion3D {
  constructor(canvas, data, views) {
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true, preserveDrawingBuffer: true});
    this.canvas = canvas;
    this.data = data;
    this.i = 0;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.001, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.render());
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.9));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(1, -2, 3);
    this.scene.add(sun);
    const box = this.extent();
    const arms = (data.arms ?? []).map((arm) => new Arm3D(arm, data, 1).reach(data.samples));
    arms.flat().forEach((point) => box.expandByPoint(point));
    this.size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-6);
    this.closest = views.first ? Math.min(views.size, this.size) : this.size;
    this.bodies = data.bodies.flatMap((b) => this.addBody(b));
    this.arms = (data.arms ?? []).map((arm) => new Arm3D(arm, data, 0.008 * this.size));
    this.arms.forEach((arm) => this.scene.add(arm.group));
    this.contacts = data.contacts.map((c) => this.addContact(c)).filter(Boolean);
    this.strongest = this.typicalForce();
    this.centre = box.getCenter(new THREE.Vector3());
    this.follow(null);
    onTheme(() => this.paint());
    this.paint();
    new ResizeObserver(() => requestAnimationFrame(() => this.resize())).observe(canvas);
    this.resize();
  }
  // A body in the middle, in surroundings of that size; null: the whole run. The camera stays with it.
  follow(body, size) {
    this.middle = body ? this.bodies.find((b) => b.name === body.name) : null;
    this.seen = body ? size : this.size;
    this.last = this.middle ? this.position(this.middle) : this.centre;
    this.controls.target.copy(this.last);
    this.camera.near = this.seen / 500;
    this.camera.far = this.size * 60;
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(0.55, -1.15, 0.6).multiplyScalar(this.seen * 0.95));
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }
  position(body) { return new THREE.Vector3(...body.columns.slice(0, 3).map((x) => x[this.i])); }
  extent() {
    const box = new THREE.Box3();
    for (const b of this.data.bodies) {
      if (b.shape.form === 'normal' || !b.moving) continue;
      const r = reach(b.shape), [x, y, z] = ['x', 'y', 'z'].map((k) => this.data.column(`${b.name}.${k}`));
      for (let i = 0; i < x.length; ++i) box.expandByPoint(new THREE.Vector3(x[i], y[i], z[i]).addScalar(r)).expandByPoint(new THREE.Vector3(x[i], y[i], z[i]).addScalar(-r));
    }
    return box.isEmpty() ? new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1)) : box;
  }
  typicalForce() {
    const all = this.contacts.flatMap((c) => Array.from(c.fn).filter((v) => v > 0)).sort((a, b) => a - b);
    return all.length ? all[Math.floor(0.95 * (all.length - 1))] : 1;
  }
  addBody(b) {
    const flat = b.shape.form === 'normal';
    const parts = b.shape.form === 'parts' ? b.shape.parts : [b.shape];
    const group = new THREE.Group();
    for (const part of parts) {
      const geometry = solid(part, this.size * 12);
      if (!geometry) continue;
      const material = new THREE.MeshStandardMaterial({roughness: 0.75, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, side: flat ? THREE.DoubleSide : THREE.FrontSide, transparent: parts.length > 1, opacity: parts.length > 1 ? 0.35 : 1});
      material.userData.role = b.moving ? 'body' : 'ground';
      material.depthWrite = !flat;  // drawn first, so that neither its grid nor a body is lost in it
      const mesh = new THREE.Mesh(geometry, material);
      mesh.renderOrder = flat ? -2 : 0;
      group.add(mesh);
      for (const points of marks(part)) {
        const line = new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({transparent: true, opacity: 0.55}));
        line.material.userData.role = 'edge';
        group.add(line);
      }
      if (part.form === 'half_extents') {
        const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry), new THREE.LineBasicMaterial());
        edges.material.userData.role = 'edge';
        group.add(edges);
      }
      if (flat) group.add(this.grid(part));
    }
    this.scene.add(group);
    const columns = b.moving ? ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'].map((k) => this.data.column(`${b.name}.${k}`)) : null;
    if (!columns) this.place(group, b.pose);
    return [{name: b.name, group, columns}];
  }
  // Squares of a round size on a half-space, each line in pieces: software renderers drop a line that passes behind the eye.
  grid(shape) {
    const cell = 10 ** Math.round(Math.log10(this.closest / 4)), half = Math.min(60, Math.ceil(this.size * 4 / cell));
    const points = [];
    for (let i = -half; i <= half; ++i) {
      for (let j = -half; j < half; ++j) points.push(i, j, 0, i, j + 1, 0, j, i, 0, j + 1, i, 0);
    }
    const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(points.map((x) => x * cell), 3));
    const grid = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({transparent: true, opacity: 0.45, depthWrite: false}));
    const n = new THREE.Vector3(...shape.size);
    grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), n);
    grid.position.copy(n).multiplyScalar(shape.offset);
    grid.material.userData.role = 'trail';
    grid.renderOrder = -1;
    return grid;
  }
  place(group, [x, y, z, w, i, j, k]) {
    group.position.set(x, y, z);
    group.quaternion.set(i, j, k, w);
  }
  addContact(c) {
    const columns = ['fn', 'ft', 'fo', 'mode', 'px', 'py', 'pz', 'nx', 'ny', 'nz', 'tx', 'ty', 'tz'].map((k) => this.data.column(`${c.name}.${k}`));
    if (columns.some((x) => !x)) return null;
    const arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1);
    const cone = c.mu === null ? null : new THREE.Mesh(new THREE.ConeGeometry(1, 1, 40, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5),
      new THREE.MeshBasicMaterial({transparent: true, opacity: 0.16, side: THREE.DoubleSide, depthWrite: false}));
    // Forces are seen through the bodies.
    for (const part of [arrow.line, arrow.cone, cone].filter(Boolean)) {
      part.material.depthTest = false;
      part.renderOrder = part === cone ? 1 : 2;
    }
    this.scene.add(arrow);
    if (cone) this.scene.add(cone);
    return {c, columns, fn: columns[0], arrow, cone};
  }
  paint() {
    this.scene.traverse((o) => {
      const role = o.material?.userData?.role;
      if (role) o.material.color.set(colour(role));
    });
    this.draw(this.i);
  }
  draw(i) {
    this.i = i;
    for (const b of this.bodies) if (b.columns) this.place(b.group, b.columns.map((x) => x[i]));
    this.arms.forEach((arm) => arm.place(i));
    if (this.middle) {
      const now = this.position(this.middle), moved = now.clone().sub(this.last);
      this.controls.target.add(moved);
      this.camera.position.add(moved);
      this.last = now;
    }
    for (const {c, columns, arrow, cone} of this.contacts) {
      const [fn, ft, fo, mode, px, py, pz, nx, ny, nz, tx, ty, tz] = columns.map((x) => x[i]);
      const on = fn > 0;
      arrow.visible = on;
      if (cone) cone.visible = on;
      if (!on) continue;
      const n = new THREE.Vector3(nx, ny, nz), t = new THREE.Vector3(tx, ty, tz), o = new THREE.Vector3().crossVectors(n, t);
      const k = Math.min(0.3 * this.seen / this.strongest, 0.6 * this.seen / fn);
      const force = new THREE.Vector3().addScaledVector(n, fn).addScaledVector(t, ft).addScaledVector(o, fo);
      const length = force.length() * k;
      arrow.position.set(px, py, pz);
      arrow.setDirection(force.normalize());
      arrow.setLength(length, Math.min(0.05 * this.seen, 0.4 * length), Math.min(0.028 * this.seen, 0.25 * length));
      arrow.setColor(new THREE.Color(modeColour(mode)));
      if (cone) {
        cone.position.set(px, py, pz);
        cone.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), n);
        cone.scale.set(c.mu * fn * k, c.mu * fn * k, fn * k);
        cone.material.color.set(modeColour(mode));
      }
    }
    this.render();
  }
  resize() {
    const {clientWidth: w, clientHeight: h} = this.canvas;
    if (!w || !h) return;
    this.renderer.setPixelRatio(devicePixelRatio);
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.render();
  }
  render() { this.renderer.render(this.scene, this.camera); }
}

// Lines on a round body, so that a turn can be seen: closed curves a little outside of its surface.
function marks(shape) {
  const LIFT = 1.004, STEPS = 96;
  const loop = (f) => Array.from({length: STEPS}, (_, k) => f(2 * Math.PI * k / STEPS));
  const axes = {radius: [shape.size[0], shape.size[0], shape.size[0]], semi_axes: shape.size}[shape.form];
  if (axes) {
    const [a, b, c] = axes.map((x) => x * LIFT);
    return [loop((u) => new THREE.Vector3(a * Math.cos(u), b * Math.sin(u), 0)), loop((u) => new THREE.Vector3(a * Math.cos(u), 0, c * Math.sin(u))),
      loop((u) => new THREE.Vector3(0, b * Math.cos(u), c * Math.sin(u)))];
  }
  if (shape.form === 'radius_half_length') {
    const r = shape.size[0] * LIFT, h = shape.size[1];
    const side = (x, y) => loop((u) => new THREE.Vector3(x * r * Math.sin(u), y * r * Math.sin(u), r * Math.cos(u) + Math.sign(Math.cos(u)) * h));
    return [side(1, 0), side(0, 1), ...[-h, h].map((z) => loop((u) => new THREE.Vector3(r * Math.cos(u), r * Math.sin(u), z)))];
  }
  return [];
}
