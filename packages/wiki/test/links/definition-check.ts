import type { Retarget } from './requests.ts';
import { addressOf, type LinkWithTarget } from './vault-state.ts';

/** The definitions that stay on an edited page, but not as the first of their label: references lead elsewhere now. */
export function shadowedDefinitions(
  links: readonly LinkWithTarget[],
  linksNow: readonly LinkWithTarget[],
  page: string,
): Retarget[] {
  const definitionsNow = definitionsOf(linksNow);
  return [...definitionsOf(links)].flatMap(([label, [counted]]) => {
    const [first, ...others] = definitionsNow.get(label) ?? [];
    if (counted?.leads == null || first === undefined || first.written === counted.written) return [];
    const stays = others.some(({ written }) => written === counted.written);
    if (!stays || (first.leads === counted.leads && first.anchor === counted.anchor)) return [];
    const newTarget = first.leads === null ? null : addressOf(first.leads);
    return {
      page: addressOf(page),
      link: counted.written,
      old_target: addressOf(counted.leads),
      new_target: newTarget,
    };
  });
}

/** By their label. */
function definitionsOf(links: readonly LinkWithTarget[]): Map<string, LinkWithTarget[]> {
  const defined = links.filter(({ written }) => /^\[ref(?:-\d+)*\]:/.test(written));
  return Map.groupBy(defined, ({ written }) => written.slice(0, written.indexOf(':')));
}
