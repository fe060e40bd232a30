/** Where the person is. */
export type Place =
  | { at: 'new'; agent: string | null }
  | { at: 'conversation'; thread: string; turn?: string | null }
  | { at: 'run'; thread: string; run: string | null }
  | { at: 'documents' }
  | { at: 'memory' };

function read(url: URL): Place {
  const [first, id, third, run] = url.pathname.split('/').slice(1).map(decodeURIComponent);
  if (first === 'c' && id) return third === 'run' ? { at: 'run', thread: id, run: run ?? null } : { at: 'conversation', thread: id, turn: url.hash.slice(1) || null };
  if (first === 'library') return { at: 'documents' };
  if (first === 'remembered') return { at: 'memory' };
  return { at: 'new', agent: url.searchParams.get('agent') };
}

export function pathOf(place: Place): string {
  switch (place.at) {
    case 'new':
      return place.agent ? `/?agent=${encodeURIComponent(place.agent)}` : '/';
    case 'conversation':
      return `/c/${place.thread}${place.turn ? `#${place.turn}` : ''}`;
    case 'run':
      return `/c/${place.thread}/run${place.run ? `/${place.run}` : ''}`;
    case 'documents':
      return '/library';
    case 'memory':
      return '/remembered';
  }
}

class Route {
  place = $state.raw<Place>(read(new URL(location.href)));

  constructor() {
    addEventListener('popstate', () => (this.place = read(new URL(location.href))));
  }

  go(place: Place, how: 'push' | 'replace' = 'push'): void {
    const path = pathOf(place);
    if (how === 'push') history.pushState(null, '', path);
    else history.replaceState(null, '', path);
    this.place = place;
  }

  /** For links: a plain click stays on the page, any other does what browsers do. */
  follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.currentTarget as HTMLAnchorElement).href;
    event.preventDefault();
    this.go(read(new URL(link)));
  };
}

export const route = new Route();
