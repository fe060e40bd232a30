/** The one place that speaks to screen readers: short, and only when something is complete. */
class Status {
  text = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    // The same words twice are read twice only if something else stood between them.
    this.text = '';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.text = text), 50);
  }
}

export const status = new Status();
