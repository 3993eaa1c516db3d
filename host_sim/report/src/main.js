// Puts the page together: verdict, motion, plots, the list of changes, and what the numbers mean.
import {Clock} from './clock.js';
import {MODES, readData, transitions} from './data.js';
import {el} from './dom.js';
import {Motion2D} from './motion2d.js';
import {Motion3D} from './motion3d.js';
import {buildPlots} from './plots.js';
import {modeColour, onTheme, toggleTheme} from './theme.js';
import {viewsOf} from './view.js';

const WORDS = {good: 'Good', warn: 'Look at this', bad: 'Not good'};
const SHOWN_TRANSITIONS = 500;

function summary(data) {
  return [
    el('header', {}, el('h1', {}, data.title), el('span.kind', {}, data.subtitle),
      el('button', {onclick: toggleTheme, title: 'switch between light and dark'}, 'Light / dark')),
    el(`div.verdict.${data.verdict.state}`, {}, el('b', {}, WORDS[data.verdict.state]), el('span', {}, data.verdict.text)),
    el('div.tiles', {}, data.tiles.map(([label, value, unit]) => el('div.tile', {}, el('span', {}, label), el('b', {}, value), unit ? el('small', {}, unit) : null))),
  ];
}

function motion(data, clock) {
  const canvas = el('canvas', {'aria-label': 'the motion of the bodies with the contact forces'});
  const strip = el('canvas', {height: String(7 * Math.max(1, data.contacts.length))});
  const slider = el('input', {type: 'range', min: '0', max: '1', step: 'any', value: '0', 'aria-label': 'time'});
  const time = el('span.clock');
  const play = el('button', {onclick: () => clock.toggle()}, 'Play');
  const span = clock.end - clock.start;
  const speeds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2];
  clock.speed = speeds.findLast((s) => span / s >= 4) ?? speeds[0];
  const speed = el('select', {'aria-label': 'speed', onchange: (e) => { clock.speed = Number(e.target.value); }},
    speeds.map((s) => el('option', s === clock.speed ? {value: s, selected: ''} : {value: s}, `${s}×`)));
  slider.addEventListener('input', () => { clock.playing = false; clock.set(clock.start + Number(slider.value) * span); });

  const paintStrip = () => {
    const width = Math.max(1, Math.round(strip.clientWidth * devicePixelRatio));
    strip.width = width;
    strip.height = Math.max(1, data.contacts.length) * 7 * devicePixelRatio;
    const ctx = strip.getContext('2d');
    data.contacts.forEach((c, k) => {
      const mode = data.column(`${c.name}.mode`);
      if (!mode) return;
      const row = strip.height / data.contacts.length;
      for (let x = 0; x < width; ++x) {
        ctx.fillStyle = modeColour(mode[Math.min(mode.length - 1, Math.floor(x / width * mode.length))]);
        ctx.fillRect(x, k * row, 1, Math.max(1, row - devicePixelRatio));
      }
    });
  };
  onTheme(paintStrip);
  new ResizeObserver(() => requestAnimationFrame(paintStrip)).observe(strip);

  const views = viewsOf(data);
  const choose = el('select', {'aria-label': 'view'}, el('option', {value: ''}, 'Whole run'),
    views.bodies.map((b) => el('option', b === views.first ? {value: b.name, selected: ''} : {value: b.name}, `Follow ${b.name}`)));

  const node = el('section.card.stage', {}, canvas, el('div.transport', {}, play, time, el('div.scrub', {}, strip, slider), speed, choose,
    el('div.legend', {}, MODES.map((m) => el('span', {}, el('i', {style: `background: var(--${m})`}), m)))));
  return {node, start() {
    let view = null;
    try {
      view = data.plane ? new Motion2D(canvas, data) : new Motion3D(canvas, data, views);
      const look = () => {
        view.follow(views.bodies.find((b) => b.name === choose.value) ?? null, views.size);
        view.draw(data.indexAt(clock.t));
      };
      choose.addEventListener('change', look);
      look();
    } catch (error) {
      canvas.replaceWith(el('p', {style: 'padding: 14px'}, `This browser cannot draw the motion (${error.message}); the plots below are complete.`));
    }
    clock.onTick((t) => {
      view?.draw(data.indexAt(t));
      time.textContent = `${t.toFixed(4)} s`;
      slider.value = String(span > 0 ? (t - clock.start) / span : 0);
      play.textContent = clock.playing ? 'Pause' : 'Play';
    });
    addEventListener('keydown', (e) => {
      if (e.target.matches('input, select, button')) return;
      if (e.key === ' ') { e.preventDefault(); clock.toggle(); }
      const nudge = {ArrowLeft: -1, ArrowRight: 1}[e.key];
      if (nudge) { e.preventDefault(); clock.playing = false; clock.set(clock.t + nudge * data.step * data.stride); }
    });
  }};
}

function changes(data, clock) {
  const list = transitions(data);
  if (!list.length) return el('p', {}, 'No contact changed its mode.');
  const dot = (m) => el('span', {}, el('i', {style: `display:inline-block;width:9px;height:9px;border-radius:3px;margin-right:6px;background:var(--${MODES[m]})`}), MODES[m]);
  return el('div.card.scroll', {}, el('table', {}, el('thead', {}, el('tr', {}, ['Time, s', 'Contact', 'From', 'To', ''].map((h) => el('th', {}, h)))),
    el('tbody', {}, list.slice(0, SHOWN_TRANSITIONS).map((c) => el('tr', {}, el('td', {}, c.t.toFixed(4)), el('td', {}, c.contact), el('td', {}, dot(c.from)),
      el('td', {}, dot(c.to)), el('td', {}, el('button', {onclick: () => { clock.playing = false; clock.set(c.t); scrollTo({top: 0, behavior: 'smooth'}); }}, 'show')))))),
    list.length > SHOWN_TRANSITIONS ? el('p', {}, `and ${list.length - SHOWN_TRANSITIONS} more`) : null);
}

const data = readData();
document.title = `${data.title}: tactus report`;
const clock = new Clock(data.t[0], data.t[data.t.length - 1]);
const stage = motion(data, clock);
const plots = buildPlots(data, clock);
document.getElementById('report').replaceChildren(
  ...summary(data),
  el('h2', {}, 'Motion'), stage.node,
  el('h2', {}, 'Over time'), el('div.plots', {}, plots.cards),
  el('h2', {}, 'Changes of mode'), changes(data, clock),
  el('h2', {}, 'How this was made'), el('div.card', {}, el('dl', {}, data.facts.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)]))),
  el('footer', {}, data.stride > 1 ? `Every ${data.stride}th step is shown. ` : '', 'Drag over a plot to zoom all of them, double-click to see everything, click to move the time; space plays, the arrow keys step; #t=0.6 behind the address opens the page at that time. ',
    'Forces act on the second body of a pair: fn along the normal from the first to the second, ft along the tangent t, fo along n × t.'),
);
stage.start();
plots.start();
// report.html#t=0.6 opens at that time.
const wanted = Number(new URLSearchParams(location.hash.slice(1)).get('t'));
clock.set(isFinite(wanted) ? wanted : clock.start);
// For whoever looks at the page with a program.
window.tactusReport = {plots: plots.count(), samples: data.samples, clock, ranges: plots.ranges};
