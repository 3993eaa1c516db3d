// What the command wrote into the page: a description, and columns of little-endian floats in base64.

const decode = (text) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
};

export function readData() {
  const text = document.getElementById('tactus-data').textContent;
  const data = JSON.parse(text);
  const cache = new Map();
  // A column by its name, or null where this run has none.
  data.column = (name) => {
    if (!(name in data.columns)) return null;
    if (!cache.has(name)) cache.set(name, decode(data.columns[name]));
    return cache.get(name);
  };
  // Times are too fine for 32 bits: they are counted, not stored.
  data.t = Float64Array.from({length: data.samples}, (_, i) =>
    Math.min((data.first_step + i * data.stride) * data.step, data.end));
  data.indexAt = (t) => {
    const i = Math.round((t / data.step - data.first_step) / data.stride);
    return Math.max(0, Math.min(data.samples - 1, i));
  };
  return data;
}

export const MODES = ['open', 'stick', 'slip'];

// Every change of a contact's mode: [{t, contact, from, to}], in time order.
export function transitions(data) {
  const list = [];
  for (const contact of data.contacts) {
    const mode = data.column(`${contact.name}.mode`);
    if (!mode) continue;
    for (let i = 1; i < mode.length; ++i) {
      if (mode[i] !== mode[i - 1]) list.push({t: data.t[i], contact: contact.name, from: mode[i - 1], to: mode[i]});
    }
  }
  return list.sort((a, b) => a.t - b.t);
}

export const largest = (column) => {
  let m = 0;
  for (const v of column) if (Math.abs(v) > m) m = Math.abs(v);
  return m;
};
