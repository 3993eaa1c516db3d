// Looks at a report from the inside and leaves its verdict in <html data-look>.
(() => {
  const errors = [];
  addEventListener('error', (e) => errors.push(e.message));
  addEventListener('unhandledrejection', (e) => errors.push(String(e.reason)));
  const {error} = console;
  console.error = (...words) => { errors.push(words.join(' ')); error(...words); };

  // Lines and bands are in colour, axes and grids are grey.
  const coloured = (canvas) => {
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let n = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 100 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) ++n;
    }
    return n;
  };
  const look = async () => {
    const {plots, samples, clock, ranges} = window.tactusReport ?? {};
    const cards = [...document.querySelectorAll('.plot')];
    if (!(plots >= 8) || !(samples > 10)) errors.push(`only ${plots} plots of ${samples} samples`);
    if (cards.length !== plots) errors.push(`${plots} plots, but ${cards.length} on the page`);
    const {arms, bodies, contacts, columns} = JSON.parse(document.getElementById('tactus-data').textContent);
    const titles = cards.map((card) => card.parentElement.querySelector('h3')?.textContent);
    const wanted = ['Contact modes', 'Gap, m', 'Energy, J', 'Residual of the contact problem', 'Pivots', ...contacts.map((c) => `Forces, ${c.name}, N`),
      ...bodies.filter((b) => b.moving).flatMap((b) => [`Position, ${b.name}, m`, `Velocity, ${b.name}, m/s`]),
      ...arms.flatMap((arm) => [`Joint positions, ${arm.name}, rad or m`, `Joint speeds, ${arm.name}, rad/s or m/s`]),
      ...('cost' in columns ? ['Cost of a tick, instructions', 'Prediction against plant, position, m', 'Prediction against plant, angle, rad'] : [])];
    for (const {name} of contacts) if ([0, 1].every((k) => `${name}.e${k}.fn` in columns)) wanted.push(`Normal forces of each element, ${name}, N`);
    for (const title of wanted) if (!titles.includes(title)) errors.push(`missing: ${title}`);
    for (const card of cards) {
      const canvas = card.querySelector('canvas');
      if (!canvas || coloured(canvas) < 20) errors.push(`empty: ${card.parentElement.querySelector('h3')?.textContent}`);
    }
    const stage = document.querySelector('.stage canvas');
    const picture = () => stage.toDataURL();
    clock.set(clock.start);
    const first = picture();
    clock.set((clock.start + clock.end) / 2);
    if (first.length < 3000) errors.push('the motion is not drawn');
    if (picture() === first) errors.push('the motion does not move');
    const head = document.querySelector('.playhead');
    if (!(parseFloat(head?.style.left) > 0)) errors.push('the plots do not show the time');
    // A drag over one plot zooms every one of them, a double click shows everything again.
    const over = document.querySelectorAll('.u-over')[2], box = over.getBoundingClientRect(), whole = JSON.stringify(ranges());
    const mouse = (target, type, share) => target.dispatchEvent(new MouseEvent(type, {bubbles: true, button: 0, movementX: 1, clientX: box.left + share * box.width, clientY: box.top + 20}));
    mouse(over, 'mousemove', 0.25);
    mouse(over, 'mousedown', 0.25);
    mouse(over, 'mousemove', 0.5);
    mouse(document, 'mouseup', 0.5);
    return new Promise((done) => setTimeout(() => {
      const zoomed = ranges();
      const [from, to] = zoomed[2];
      if (!(Math.abs((to - from) / (clock.end - clock.start) - 0.25) < 0.02)) errors.push(`a drag over a quarter shows ${from} to ${to}`);
      if (new Set(zoomed.map(String)).size !== 1) errors.push('the plots do not zoom together');
      mouse(over, 'dblclick', 0.5);
      setTimeout(() => {
        if (JSON.stringify(ranges()) !== whole) errors.push('a double click does not show everything');
        done();
      }, 200);
    }, 200));
  };
  const say = () => {
    const {plots, samples} = window.tactusReport ?? {};
    if (!document.querySelector('.verdict')?.textContent) errors.push('no verdict');
    document.documentElement.dataset.look = errors.length ? `bad: ${errors.join('; ').replace(/"/g, "'")}` : `good: ${plots} plots, ${samples} samples`;
  };
  addEventListener('load', () => setTimeout(() => look().catch((e) => errors.push(String(e))).then(say), 3000));
})();
