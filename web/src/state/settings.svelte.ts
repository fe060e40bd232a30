import { type Lang, type Text, texts } from '../text';

export type Theme = 'system' | 'light' | 'dark';

function read<T extends string>(name: string, allowed: readonly T[]): T | null {
  const value = localStorage.getItem(name);
  return allowed.find((one) => one === value) ?? null;
}

function ofBrowser(): Lang {
  return navigator.languages.find((one) => /^(ko|en)/.test(one))?.startsWith('en') ? 'en' : 'ko';
}

const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zones to choose from: one's own, and those that logs are written in. */
export const zones: readonly string[] = [...new Set([here, 'Asia/Seoul', 'UTC'])];

/** What the person chose, kept in the browser. */
class Settings {
  #lang = $state<Lang>(read('duru.lang', ['ko', 'en']) ?? ofBrowser());
  #theme = $state<Theme>(read('duru.theme', ['system', 'light', 'dark']) ?? 'system');
  #zone = $state<string>(read('duru.zone', zones) ?? here);

  constructor() {
    this.#show();
  }

  get lang(): Lang {
    return this.#lang;
  }

  set lang(lang: Lang) {
    this.#lang = lang;
    localStorage.setItem('duru.lang', lang);
    this.#show();
  }

  get theme(): Theme {
    return this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    localStorage.setItem('duru.theme', theme);
    this.#show();
  }

  get zone(): string {
    return this.#zone;
  }

  set zone(zone: string) {
    this.#zone = zone;
    localStorage.setItem('duru.zone', zone);
  }

  /** All texts in the person's language. */
  get text(): Text {
    return texts[this.#lang];
  }

  #show(): void {
    const root = document.documentElement;
    root.lang = this.#lang;
    if (this.#theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = this.#theme;
  }
}

export const settings = new Settings();
