// The plots: one x axis for all of them. Dragging over one zooms all, a double click shows everything again.
import uPlot from 'uplot';
import {MODES, largest} from './data.js';
import {el} from './dom.js';
import {colour, modeColour, onTheme} from './theme.js';

const HEIGHT = 190;
const LEAST = 1e-9;  // half the least height of a plot, in its unit
const GUTTER = 150;  // left of the contact modes, for the names of the pairs
const tidy = (v, digits = 5) => {
  if (v === null || v === undefined || !isFinite(v)) return '–';
  const size = Math.abs(v);
  const text = v !== 0 && (size < 1e-3 || size >= 1e6) ? v.toExponential(digits - 1).replace(/\.?0+e/, 'e') : Number(v.toPrecision(digits)).toString();
  return text.replace('-', '−').replace('e-', 'e−').replace('e+', 'e');
};

// uPlot wants null where there is no value.
const gaps = (values) => (values.some?.(Number.isNaN) ? Array.from(values, (v) => (Number.isNaN(v) ? null : v)) : values);

// One card: series are [{label, values, colour: 'c0', dash, width}].
function card(group, {title, note, unit, series, log, wide, height, gutter, draw, range, show, counts}) {
  const body = el('div.plot');
  const node = el(wide ? 'div.card.wide' : 'div.card', {}, el('h3', {}, unit ? `${title}, ${unit}` : title), note ? el('p', {}, note) : null, body);
  group.add(body, series, {unit, log, height, gutter, draw, range, show, counts});
  return node;
}

class Group {
  constructor(data, clock) {
    this.t = data.t;
    this.indexAt = data.indexAt;
    this.clock = clock;
    this.entries = [];
    this.window = [data.t[0], data.t[data.t.length - 1]];
    this.busy = false;
    clock.onTick(() => this.moveHeads());
    onTheme(() => this.rebuild());
    // In the next frame: a plot's new size must not change the size that is being observed.
    new ResizeObserver(() => requestAnimationFrame(() => this.resize())).observe(document.getElementById('report'));
  }
  add(body, series, options) {
    this.entries.push({body, series, options, plot: null, head: null});
  }
  rebuild() {
    for (const entry of this.entries) this.build(entry);
    this.moveHeads();
  }
  resize() {
    for (const {plot, body, options} of this.entries) {
      plot?.setSize({width: body.clientWidth, height: options.height ?? HEIGHT});
    }
    this.moveHeads();
  }
  build(entry) {
    const {body, series, options} = entry;
    entry.plot?.destroy();
    body.replaceChildren();
    const axis = {stroke: colour('soft'), grid: {stroke: colour('grid'), width: 1}, ticks: {stroke: colour('grid'), width: 1}, font: '12px system-ui, sans-serif'};
    const min = this.window[0], max = this.window[1];
    entry.plot = new uPlot({
      width: body.clientWidth,
      height: options.height ?? HEIGHT,
      cursor: {sync: {key: 'tactus', setSeries: false}, drag: {x: true, y: false}, points: {size: 6}},
      scales: {
        x: {time: false, min, max},
        y: {distr: options.log ? 3 : 1, range: options.range ?? (options.log ? undefined : (u, lo, hi) => {
          if (!isFinite(lo) || !isFinite(hi)) return [0, 1];
          if (options.counts) return [0, Math.max(1, 1.07 * hi)];
          // Rounding errors are not spread over the whole height.
          const pad = Math.max((hi - lo) * 0.07, Math.abs(hi + lo) * 1e-9, LEAST);
          return [lo - pad, hi + pad];
        })},
      },
      axes: [
        {...axis, size: 34, values: (u, ticks) => ticks.map((v) => tidy(v, 8) + ' s')},
        {...axis, size: options.gutter ?? 68, values: options.range ? () => [] : (u, ticks) => ticks.map((v) => (v === null ? '' : tidy(v)))},
      ],
      series: [
        {label: 't', value: (u, v) => (v === null ? '–' : v.toFixed(4) + ' s')},
        ...series.map((s) => ({
          label: s.label,
          stroke: colour(s.colour),
          width: s.width ?? 1.4,
          dash: s.dash,
          points: {show: false},
          paths: s.hidden ? () => null : undefined,
          value: (u, v) => (options.show ? options.show(v) : v === null ? '–' : `${tidy(v)}${options.unit ? ' ' + options.unit : ''}`),
        })),
      ],
      legend: {markers: {dash: (u, i) => (series[i - 1]?.dash ? 'dashed' : 'solid')}},
      hooks: {
        setScale: [(u, key) => key === 'x' && this.zoom(u)],
        draw: options.draw ? [options.draw] : [],
        ready: [(u) => {
          u.over.addEventListener('dblclick', () => this.show(this.t[0], this.t[this.t.length - 1]));
          u.over.addEventListener('click', () => {
            if (u.select.width < 2 && u.cursor.left >= 0) this.clock.set(u.posToVal(u.cursor.left, 'x'));
          });
        }],
      },
    }, [this.t, ...series.map((s) => gaps(s.values))], body);
    entry.head = el('div.playhead');
    entry.plot.over.append(entry.head);
  }
  zoom(from) {
    const {min, max} = from.scales.x;
    if (!this.busy && min !== null && max !== null) this.show(min, max, from);
  }
  show(min, max, except) {
    this.busy = true;
    this.window = [min, max];
    for (const {plot} of this.entries) if (plot && plot !== except) plot.setScale('x', {min, max});
    this.busy = false;
    requestAnimationFrame(() => this.moveHeads());
  }
  moveHeads() {
    const t = this.clock.t;
    for (const {plot, head} of this.entries) {
      if (!plot) continue;
      const inside = t >= plot.scales.x.min && t <= plot.scales.x.max;
      head.style.display = inside ? 'block' : 'none';
      if (inside) head.style.left = `${plot.valToPos(t, 'x')}px`;
      // Where the mouse is nowhere the numbers are those of the motion's time.
      if (!(plot.cursor.left >= 0)) plot.setLegend({idx: this.indexAt(t)}, false);
    }
  }
}

const some = (series) => series.filter((s) => s.values);

// Bands of colour, one row for each contact.
function modesCard(group, data) {
  const contacts = data.contacts.filter((c) => data.column(`${c.name}.mode`));
  if (!contacts.length) return null;
  const modes = contacts.map((c) => data.column(`${c.name}.mode`));
  const draw = (u) => {
    const {ctx} = u;
    const row = u.bbox.height / contacts.length;
    const first = Math.max(0, u.valToIdx(u.scales.x.min) - 1), last = u.valToIdx(u.scales.x.max);
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    contacts.forEach((contact, k) => {
      const y = u.bbox.top + k * row;
      let start = first;
      for (let i = first + 1; i <= last + 1; ++i) {
        if (i <= last && modes[k][i] === modes[k][start]) continue;
        const a = u.valToPos(u.data[0][start], 'x', true);
        const b = i < u.data[0].length ? u.valToPos(u.data[0][i], 'x', true) : u.bbox.left + u.bbox.width;
        ctx.fillStyle = modeColour(modes[k][start]);
        ctx.fillRect(a, y + row * 0.16, Math.max(b - a, 1), row * 0.68);
        start = i;
      }
    });
    ctx.restore();
    ctx.fillStyle = colour('soft');
    ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    contacts.forEach((contact, k) => {
      let label = contact.short ?? contact.name;
      while (label.length > 4 && ctx.measureText(label).width > (GUTTER - 12) * devicePixelRatio) label = label.slice(0, -2) + '…';
      ctx.fillText(label, u.bbox.left - 8 * devicePixelRatio, u.bbox.top + (k + 0.5) * row);
    });
  };
  return card(group, {
    title: 'Contact modes', wide: true, height: 48 + 30 * contacts.length, gutter: GUTTER, draw, range: () => [0, 1],
    note: 'grey: open, blue: stick, orange: slip',
    show: (v) => (v === null ? '–' : MODES[v]),
    series: contacts.map((c, k) => ({label: c.name, values: modes[k], colour: 'soft', hidden: true})),
  });
}

function forceCards(group, data) {
  return data.contacts.map((c) => {
    const fn = data.column(`${c.name}.fn`), ft = data.column(`${c.name}.ft`), fo = data.column(`${c.name}.fo`);
    if (!fn) return null;
    const limit = c.mu === null ? null : fn.map((v) => c.mu * v);
    return card(group, {
      title: `Forces, ${c.name}`, unit: 'N',
      note: c.mu === null ? '' : `dashed: the friction limit, mu fn, mu = ${c.mu}`,
      series: some([
        {label: 'fn', values: fn, colour: 'c0'},
        {label: 'ft', values: ft, colour: 'c1'},
        {label: 'fo', values: fo, colour: 'c2'},
        {label: 'fr', values: data.column(`${c.name}.fr`), colour: 'c3'},
        {label: '+mu fn', values: limit, colour: 'soft', dash: [4, 4], width: 1},
        {label: '−mu fn', values: limit?.map((v) => -v), colour: 'soft', dash: [4, 4], width: 1},
      ]),
    });
  });
}

// Of a pair that presses at several points or elements, what each of them carries.
function elementCards(group, data) {
  return data.contacts.flatMap((c) => {
    const numbers = Array.from({length: c.elements ?? 0}, (_, k) => k).filter((k) => data.column(`${c.name}.e${k}.fn`));
    if (numbers.length < 2) return [];
    const parts = [['fn', 'Normal forces'], ['ft', 'Friction along t'], ['fo', 'Friction along o']];
    return parts.map(([part, title]) => {
      const series = some(numbers.map((k) => ({label: `${k + 1}`, values: data.column(`${c.name}.e${k}.${part}`), colour: `c${k % 6}`, dash: k < 6 ? undefined : k < 12 ? [5, 3] : [2, 3], width: 1.1})));
      return series.length ? card(group, {title: `${title} of each element, ${c.name}`, unit: 'N', series}) : null;
    });
  });
}

function gapCard(group, data) {
  const series = some(data.contacts.map((c, k) => ({label: c.name, values: data.column(`${c.name}.gap`), colour: `c${k % 6}`})));
  return series.length ? card(group, {title: 'Gap', unit: 'm', series, note: 'the nearest points of each pair; below zero in penetration'}) : null;
}

function motionCards(group, data) {
  const cards = [];
  for (const b of data.bodies.filter((x) => x.moving)) {
    const c = (name) => data.column(`${b.name}.${name}`);
    const p = (name) => data.column(`predicted.${b.name}.${name}`);
    const axes = data.plane ? ['x', 'y'] : ['x', 'y', 'z'];
    cards.push(card(group, {title: `Position, ${b.name}`, unit: 'm', note: p('x') ? 'dashed: as predicted' : '', series: some([
      ...axes.map((a, k) => ({label: a, values: c(a), colour: `c${k}`})),
      ...axes.map((a, k) => ({label: `${a}, predicted`, values: p(a), colour: `c${k + 3}`, dash: [5, 4], width: 1})),
    ])}));
    cards.push(data.plane
      ? card(group, {title: `Angle, ${b.name}`, unit: 'rad', note: p('a') ? 'dashed: as predicted' : '', series: some([
          {label: 'angle', values: c('a'), colour: 'c0'}, {label: 'angle, predicted', values: p('a'), colour: 'c3', dash: [5, 4], width: 1}])})
      : card(group, {title: `Orientation, ${b.name}`, series: some(['qw', 'qx', 'qy', 'qz'].map((a, k) => ({label: a, values: c(a), colour: `c${k}`})))}));
    cards.push(card(group, {title: `Velocity, ${b.name}`, unit: 'm/s', series: some(axes.map((a, k) => ({label: `v${a}`, values: c(`v${a}`), colour: `c${k}`})))}));
    cards.push(card(group, {title: `Angular velocity, ${b.name}`, unit: 'rad/s', series: some(
      (data.plane ? ['w'] : ['wx', 'wy', 'wz']).map((a, k) => ({label: a, values: c(a), colour: `c${k}`})))}));
  }
  return cards;
}

function armCards(group, data) {
  return (data.arms ?? []).flatMap((arm) => ['q', 'qd'].map((what) => card(group, {
    title: `${what === 'q' ? 'Joint positions' : 'Joint speeds'}, ${arm.name}`, unit: what === 'q' ? 'rad or m' : 'rad/s or m/s',
    note: what === 'q' && data.column(`predicted.${arm.name}.q0`) ? 'dashed: as predicted' : '',
    series: some([
      ...arm.joints.map((joint, k) => ({label: joint.name, values: data.column(`${arm.name}.${what}${k}`), colour: `c${k % 6}`})),
      ...arm.joints.map((joint, k) => ({label: `${joint.name}, predicted`, values: data.column(`predicted.${arm.name}.${what}${k}`), colour: `c${k % 6}`, dash: [5, 4], width: 1}))]),
  })));
}

// How far off the next change of mode is, as said and as it came, up to the farthest that was said.
function changeCards(group, data) {
  return data.contacts.map((c) => {
    const said = data.column(`predicted.${c.name}.change`), mode = data.column(`${c.name}.mode`);
    if (!said || !mode || !said.some(isFinite)) return null;
    const far = largest(said.filter(isFinite)) + data.step;
    const came = new Array(mode.length).fill(null);
    for (let i = mode.length - 2, next = null; i >= 0; --i) {
      if (mode[i + 1] !== mode[i]) next = data.t[i + 1];
      if (next !== null && next - data.t[i] <= far) came[i] = (next - data.t[i]) * 1e3;
    }
    return card(group, {title: `Time to the next change, ${c.name}`, unit: 'ms', note: 'as it came, and dashed as predicted; none within the horizon: no line', series: [
      {label: 'came', values: came, colour: 'c0', width: 1.6}, {label: 'predicted', values: said.map((v) => v * 1e3), colour: 'c3', dash: [4, 3], width: 1.4}]});
  }).filter(Boolean);
}

function solverCards(group, data) {
  const cards = [];
  const one = (column, options, colourName = 'c0') => {
    const values = data.column(column);
    if (values) cards.push(card(group, {...options, series: [{label: options.label ?? column, values, colour: colourName}]}));
  };
  const elastic = data.column('energy.elastic');
  const energy = some([
    {label: 'total', values: data.column('energy.total'), colour: 'c0', width: 1.8},
    {label: 'kinetic', values: data.column('energy.kinetic'), colour: 'c1'},
    {label: 'potential', values: data.column('energy.potential'), colour: 'c2'},
    {label: 'elastic', values: elastic && largest(elastic) > 0 ? elastic : null, colour: 'c4'},
  ]);
  if (energy.length) cards.push(card(group, {title: 'Energy', unit: 'J', series: energy, note: 'potential energy from where the run starts; what falls at v is a step h ahead of the truth, which lowers the total by m g h v / 2'}));
  const residual = data.column('residual');
  if (residual) {
    const log = largest(residual) > 0;
    // A residual of exactly zero has no place on a logarithmic scale.
    cards.push(card(group, {title: 'Residual of the contact problem', log, note: `${data.cost ? 'of the plant; ' : ''}free of units, from the original data; gaps: exactly zero`,
      series: [{label: 'residual', values: log ? Array.from(residual, (v) => (v > 0 ? v : null)) : residual, colour: 'c0', width: 1}]}));
  }
  one('pivots', {title: 'Pivots', counts: true, note: `${data.cost ? 'of the plant; ' : ''}zero where the guess from the step before was right`});
  const cost = data.column('cost');
  if (cost) {
    cards.push(card(group, {title: `Cost of a ${data.cost.of}`, unit: data.cost.unit, counts: true, note: data.cost.note, series: some([
      {label: data.cost.unit, values: cost, colour: 'c0', width: 1},
      {label: 'budget', values: data.cost.budget ? cost.map(() => data.cost.budget) : null, colour: 'slip', dash: [6, 4]},
    ])}));
  }
  one('difference', {title: 'Board against host', note: 'largest difference of an answer to the host\'s own core, relative', label: 'difference'});
  one('error.position', {title: 'Prediction against plant, position', unit: 'm', note: data.prediction_note, label: 'distance'});
  one('error.angle', {title: 'Prediction against plant, angle', unit: 'rad', note: data.prediction_note, label: 'angle'});
  return cards;
}

export function buildPlots(data, clock) {
  const group = new Group(data, clock);
  const cards = [
    modesCard(group, data), ...forceCards(group, data), ...changeCards(group, data), ...elementCards(group, data), gapCard(group, data), ...motionCards(group, data),
    ...armCards(group, data), ...solverCards(group, data),
  ].filter(Boolean);
  return {cards, start: () => group.rebuild(), count: () => group.entries.length,
    ranges: () => group.entries.map(({plot}) => [plot.scales.x.min, plot.scales.x.max])};
}
