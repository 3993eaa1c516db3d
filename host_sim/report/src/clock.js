// The one time that the motion, the scrubber and every plot show.
export class Clock {
  constructor(start, end) {
    this.start = start;
    this.end = end;
    this.t = start;
    this.speed = 1;
    this.playing = false;
    this.listeners = [];
  }
  onTick(f) { this.listeners.push(f); }
  set(t) {
    this.t = Math.max(this.start, Math.min(this.end, t));
    for (const f of this.listeners) f(this.t);
  }
  toggle() { this.playing ? this.pause() : this.play(); }
  pause() {
    this.playing = false;
    this.set(this.t);
  }
  play() {
    if (this.t >= this.end) this.t = this.start;
    this.playing = true;
    let last = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      const t = this.t + (now - last) / 1000 * this.speed;
      last = now;
      if (t >= this.end) this.playing = false;
      this.set(t);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
}
