// A plane scene on a canvas: bodies, the path of their centres, contact forces and friction cones.
import {colour, modeColour, onTheme} from './theme.js';
import {reach} from './view.js';

const rotate = (a, [x, y]) => [Math.cos(a) * x - Math.sin(a) * y, Math.sin(a) * x + Math.cos(a) * y];

const outline = (shape) => {
  switch (shape.form) {
    case 'radius': return {round: [shape.size[0], shape.size[0]]};
    case 'semi_axes': return {round: [shape.size[0], shape.size[1]]};
    case 'half_extents': {
      const [a, b] = shape.size;
      return {points: [[-a, -b], [a, -b], [a, b], [-a, b]]};
    }
    case 'sides_radius': return {points: Array.from({length: shape.sides}, (_, k) => rotate(2 * Math.PI * k / shape.sides, [shape.size[0], 0]))};
    case 'length': return {points: [[-shape.size[0] / 2, 0], [shape.size[0] / 2, 0]]};
    default: return {points: []};
  }
};
export class Motion2D {
  constructor(canvas, data) {
    this.canvas = canvas;
    this.data = data;
    this.i = 0;
    this.bodies = data.bodies.map((b) => ({...b, line: outline(b.shape), x: data.column(`${b.name}.x`), y: data.column(`${b.name}.y`), a: data.column(`${b.name}.a`)}));
    this.contacts = data.contacts.map((c) => ({...c, fn: data.column(`${c.name}.fn`), ft: data.column(`${c.name}.ft`),
      mode: data.column(`${c.name}.mode`), px: data.column(`${c.name}.px`), py: data.column(`${c.name}.py`), nx: data.column(`${c.name}.nx`), ny: data.column(`${c.name}.ny`)}));
    this.strongest = this.typicalForce();
    this.fit();
    this.listen();
    onTheme(() => this.draw(this.i));
    new ResizeObserver(() => requestAnimationFrame(() => this.draw(this.i))).observe(canvas);
  }
  // The 95th percentile, so that one impact does not make every other arrow invisible.
  typicalForce() {
    const all = this.contacts.flatMap((c) => (c.fn ? Array.from(c.fn).filter((v) => v > 0) : [])).sort((a, b) => a - b);
    return all.length ? all[Math.floor(0.95 * (all.length - 1))] : 1;
  }
  fit() {
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const b of this.bodies) {
      if (b.shape.form === 'normal') continue;
      const r = reach(b.shape);
      const xs = b.x ?? [b.pose[0]], ys = b.y ?? [b.pose[1]];
      for (let i = 0; i < xs.length; ++i) {
        x0 = Math.min(x0, xs[i] - r); x1 = Math.max(x1, xs[i] + r);
        y0 = Math.min(y0, ys[i] - r); y1 = Math.max(y1, ys[i] + r);
      }
    }
    this.home = {x: (x0 + x1) / 2, y: (y0 + y1) / 2, w: (x1 - x0) * 1.15, h: (y1 - y0) * 1.25};
    this.follow(null);
  }
  // A body in the middle, in surroundings of that size; null: the whole run.
  follow(body, size) {
    this.middle = body ? this.bodies.find((b) => b.name === body.name) : null;
    this.view = body ? {x: 0, y: 0, w: size, h: size, zoom: 1} : {...this.home, zoom: 1};
    this.start = {...this.view};
  }
  scale() {
    return Math.min(this.canvas.width / this.view.w, this.canvas.height / this.view.h) * this.view.zoom;
  }
  listen() {
    const c = this.canvas;
    let from = null;
    c.addEventListener('pointerdown', (e) => { from = [e.offsetX, e.offsetY]; c.setPointerCapture(e.pointerId); });
    c.addEventListener('pointerup', () => { from = null; });
    c.addEventListener('pointermove', (e) => {
      if (!from) return;
      const k = devicePixelRatio / this.scale();
      this.view.x -= (e.offsetX - from[0]) * k;
      this.view.y += (e.offsetY - from[1]) * k;
      from = [e.offsetX, e.offsetY];
      this.draw(this.i);
    });
    c.addEventListener('wheel', (e) => {
      e.preventDefault();
      this.view.zoom = Math.max(0.2, Math.min(500, this.view.zoom * Math.exp(-e.deltaY / 400)));
      this.draw(this.i);
    }, {passive: false});
    c.addEventListener('dblclick', () => { this.view = {...this.start}; this.draw(this.i); });
  }
  draw(i) {
    this.i = i;
    const c = this.canvas, ctx = c.getContext('2d');
    const w = Math.round(c.clientWidth * devicePixelRatio), h = Math.round(c.clientHeight * devicePixelRatio);
    if (c.width !== w || c.height !== h) { c.width = w; c.height = h; }
    const s = this.scale();
    const cx = this.view.x + (this.middle ? this.middle.x[i] : 0), cy = this.view.y + (this.middle ? this.middle.y[i] : 0);
    const to = ([x, y]) => [w / 2 + (x - cx) * s, h / 2 - (y - cy) * s];
    ctx.clearRect(0, 0, w, h);
    ctx.lineJoin = 'round';
    for (const b of this.bodies) if (b.shape.form === 'normal') this.halfspace(ctx, b, to, w, h);
    for (const b of this.bodies) if (b.x) this.trail(ctx, b, to, i);
    for (const b of this.bodies) if (b.shape.form !== 'normal') this.body(ctx, b, to, s, i);
    for (const k of this.contacts) this.contact(ctx, k, to, s, h, i);
    this.ruler(ctx, s, h);
  }
  halfspace(ctx, b, to, w, h) {
    const n = rotate(b.pose[2], b.shape.size), d = b.shape.offset;
    const foot = [b.pose[0] + n[0] * d, b.pose[1] + n[1] * d];
    const [px, py] = to(foot);
    const far = (w + h) * 2;
    ctx.save();
    ctx.translate(px, py);
    ctx.rotate(Math.atan2(-n[1], n[0]) + Math.PI / 2);
    // The surface is now the x axis, the solid below it.
    ctx.fillStyle = colour('ground');
    ctx.fillRect(-far, 0, 2 * far, far);
    ctx.strokeStyle = colour('edge');
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(-far, 0);
    ctx.lineTo(far, 0);
    ctx.stroke();
    ctx.restore();
  }
  trail(ctx, b, to, i) {
    ctx.strokeStyle = colour('trail');
    ctx.lineWidth = devicePixelRatio;
    const step = Math.max(1, Math.floor(b.x.length / 1500));
    ctx.beginPath();
    for (let k = 0; k <= i; k += step) ctx.lineTo(...to([b.x[k], b.y[k]]));
    ctx.lineTo(...to([b.x[i], b.y[i]]));
    ctx.stroke();
  }
  body(ctx, b, to, s, i) {
    const [x, y, a] = b.x ? [b.x[i], b.y[i], b.a[i]] : b.pose;
    const [px, py] = to([x, y]);
    ctx.save();
    ctx.translate(px, py);
    ctx.rotate(-a);
    ctx.fillStyle = b.moving ? colour('body') : colour('ground');
    ctx.strokeStyle = colour('edge');
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    if (b.line.round) ctx.ellipse(0, 0, b.line.round[0] * s, b.line.round[1] * s, 0, 0, 2 * Math.PI);
    else b.line.points.forEach(([u, v]) => ctx.lineTo(u * s, -v * s));
    ctx.closePath();
    if (b.shape.form === 'length') ctx.lineWidth = 4 * devicePixelRatio;
    ctx.globalAlpha = 0.85;
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.stroke();
    // A spoke shows which way it has turned.
    const r = b.line.round ? b.line.round[0] : b.shape.form === 'length' ? 0 : Math.max(...b.line.points.map((p) => p[0]));
    ctx.lineWidth = devicePixelRatio;
    ctx.globalAlpha = 0.6;
    ctx.beginPath();
    ctx.moveTo(0, 0);
    ctx.lineTo(r * s, 0);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.fillStyle = colour('edge');
    ctx.beginPath();
    ctx.arc(0, 0, 2.5 * devicePixelRatio, 0, 7);
    ctx.fill();
    ctx.restore();
  }
  contact(ctx, c, to, s, h, i) {
    if (!c.fn || !c.px || !(c.fn[i] > 0)) return;
    const at = to([c.px[i], c.py[i]]);
    const n = [c.nx[i], -c.ny[i]], t = [c.ny[i], c.nx[i]];  // in pixels, y down; t is n turned by -90 degrees
    const k = Math.min(0.3 * h / this.strongest, 0.75 * h / Math.max(c.fn[i], 1e-300));
    const tip = [at[0] + k * (c.fn[i] * n[0] + c.ft[i] * t[0]), at[1] + k * (c.fn[i] * n[1] + c.ft[i] * t[1])];
    if (c.mu !== null) {
      const length = k * c.fn[i];
      ctx.fillStyle = modeColour(c.mode[i]);
      ctx.globalAlpha = 0.16;
      ctx.beginPath();
      ctx.moveTo(...at);
      for (const side of [-1, 1]) ctx.lineTo(at[0] + length * (n[0] + side * c.mu * t[0]), at[1] + length * (n[1] + side * c.mu * t[1]));
      ctx.fill();
      ctx.globalAlpha = 1;
    }
    arrow(ctx, at, tip, modeColour(c.mode[i]));
  }
  ruler(ctx, s, h) {
    const want = 110 * devicePixelRatio / s, ten = 10 ** Math.floor(Math.log10(want));
    const length = [1, 2, 5, 10].map((m) => m * ten).filter((l) => l <= want * 1.3).pop();
    const [x, y] = [16 * devicePixelRatio, h - 16 * devicePixelRatio];
    ctx.strokeStyle = ctx.fillStyle = colour('soft');
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, y - 5 * devicePixelRatio);
    ctx.lineTo(x, y);
    ctx.lineTo(x + length * s, y);
    ctx.lineTo(x + length * s, y - 5 * devicePixelRatio);
    ctx.stroke();
    ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = 'left';
    ctx.fillText(`${Number(length.toPrecision(2))} m`, x + 6 * devicePixelRatio, y - 6 * devicePixelRatio);
  }
}

function arrow(ctx, from, to, stroke) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 2) return;
  const u = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const head = Math.min(12 * devicePixelRatio, length * 0.5), half = head * 0.42;
  const neck = [to[0] - u[0] * head, to[1] - u[1] * head];
  ctx.strokeStyle = ctx.fillStyle = stroke;
  ctx.lineWidth = 2.6 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...neck);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(...to);
  ctx.lineTo(neck[0] - u[1] * half, neck[1] + u[0] * half);
  ctx.lineTo(neck[0] + u[1] * half, neck[1] - u[0] * half);
  ctx.fill();
}

