// What the motion shows: the whole run, or the surroundings of one body that travels far.

export const reach = (shape) => {
  if (shape.form === 'normal') return 0;
  if (shape.form === 'parts') return Math.min(...shape.parts.map(reach).filter((r) => r > 0));
  return shape.form === 'radius_half_length' ? shape.size[0] + shape.size[1] : Math.max(...shape.size.map(Math.abs));
};

const FAR = 40;  // reaches of the largest body: beyond it, the whole run would show dots

const travel = (data, body) => Math.max(...['x', 'y', 'z'].map((axis) => {
  const column = data.column(`${body.name}.${axis}`);
  if (!column) return 0;
  let low = Infinity, high = -Infinity;
  for (const v of column) { low = Math.min(low, v); high = Math.max(high, v); }
  return high - low;
}));

// {bodies: those that can be followed, first: the one to follow at first or null, size: of what is then seen, m}.
export function viewsOf(data) {
  const bodies = data.bodies.filter((b) => b.moving);
  const largest = Math.max(...bodies.map((b) => reach(b.shape)), 0);
  const far = largest > 0 && bodies.some((b) => travel(data, b) > FAR * largest);
  return {bodies, first: far ? bodies[0] : null, size: 9 * largest};
}
