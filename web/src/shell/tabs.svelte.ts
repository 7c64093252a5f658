/** Which tab is shown. Its name stands in the page's address: `#portability`; the playground's may be a share link. */

const ALL = [
  { name: "playground", title: "Playground" },
  { name: "chat", title: "Chat template" },
  { name: "portability", title: "Portability" },
  { name: "conformance", title: "Conformance" },
] as const;

export type TabName = (typeof ALL)[number]["name"];

function named(hash: string): TabName {
  return ALL.find(({ name }) => hash === `#${name}`)?.name ?? "playground";
}

class Tabs {
  readonly all = ALL;
  current = $state<TabName>(named(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.current = named(location.hash)));
  }

  open(name: TabName) {
    if (name === this.current) return;
    // Not a step to go back to: behind it there may be a link, which would replace what was edited since.
    history.replaceState(null, "", name === "playground" ? location.pathname + location.search : `#${name}`);
    this.current = name;
  }
}

export const tabs = new Tabs();
