/** Names the headings of one page by GitHub's rule, so that a link works there and on the site: a name that is taken gets `-1`. */
export function createAnchors(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-");
    const times = taken.get(name) ?? 0;
    taken.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  };
}
