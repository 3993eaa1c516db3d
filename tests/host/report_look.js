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
  const look = () => {
    const {plots, samples, clock} = window.tactusReport ?? {};
    const cards = [...document.querySelectorAll('.plot')];
    if (!(plots >= 8) || !(samples > 10)) errors.push(`only ${plots} plots of ${samples} samples`);
    if (cards.length !== plots) errors.push(`${plots} plots, but ${cards.length} on the page`);
    const {bodies, contacts, columns} = JSON.parse(document.getElementById('tactus-data').textContent);
    const titles = cards.map((card) => card.parentElement.querySelector('h3')?.textContent);
    const wanted = ['Contact modes', 'Gap', 'Energy', 'Residual of the contact problem', 'Pivots', ...contacts.map((c) => `Forces, ${c.name}`),
      ...bodies.filter((b) => b.moving).flatMap((b) => [`Position, ${b.name}`, `Velocity, ${b.name}`]),
      ...('cost' in columns ? ['Cost of a tick', 'Prediction against plant, position', 'Prediction against plant, angle'] : [])];
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
    if (!document.querySelector('.verdict')?.textContent) errors.push('no verdict');
    document.documentElement.dataset.look = errors.length ? `bad: ${errors.join('; ').replace(/"/g, "'")}` : `good: ${plots} plots, ${samples} samples`;
  };
  addEventListener('load', () => setTimeout(look, 3000));
})();
