export interface PageKind {
  /** From 1; null where the page is like none of them. */
  blankPage: number | null
  sure: boolean
  empty: boolean
}

/** In one unit. */
const MISSING = 3
const TWICE = 4
const OUT_OF_ORDER = 1
const STARTS_LATE = 0.5
/** With the two above more than `AS_GOOD`: one missing first page puts no page of the next paper in doubt. */
const FIRST_PAGE_LATE = 1
const STRANGE = 1
const UNLIKE_MISSING = 2
const EMPTY = 0.05
const EMPTY_FIRST = 0.5

interface UnknownPage {
  guess: number | null
  /** The surely known pages around it; 0 and null for none. */
  after: number
  before: number | null
  gap: number | null
}

export function costOf(blankPages: number) {
  const seen = new Set<number>()
  const unknown: UnknownPage[] = []
  const gaps = new Set<number>()
  let [rest, last, descents, late, likely] = [0, 0, 0, 0, 0]
  const place = (one: UnknownPage) => {
    one.gap = null
    const [low, high] = bounds(one, blankPages)
    for (let page = low + 1; page < high && one.gap === null; page += 1)
      if (!seen.has(page) && !gaps.has(page)) one.gap = page
    if (one.gap !== null) gaps.add(one.gap)
  }
  const addKnown = (known: number) => {
    if (seen.has(known)) rest += TWICE
    else likely -= unknown.filter(({ guess }) => guess === known).length
    if (last === 0 && unknown.length === 0 && known !== 1) late = STARTS_LATE
    if (last !== 0 && known === 1 && !seen.has(1)) late += FIRST_PAGE_LATE
    seen.add(known)
    if (known < last) descents += OUT_OF_ORDER
    last = known
    for (const one of unknown) {
      one.before ??= known
      const [low, high] = bounds(one, blankPages)
      if (one.gap === null || (one.gap !== known && one.gap > low && one.gap < high)) continue
      gaps.delete(one.gap)
      place(one)
    }
  }
  return {
    add({ blankPage, sure, empty }: PageKind): number {
      if (sure && blankPage !== null) addKnown(blankPage)
      else if (empty) rest += last === 0 ? EMPTY_FIRST : EMPTY
      else {
        const one = { guess: blankPage, after: last, before: null, gap: null }
        unknown.push(one)
        if (blankPage === null || !seen.has(blankPage)) likely += 1
        place(one)
      }
      const open = blankPages - seen.size
      const filled = Math.min(unknown.length, open)
      const unlikely = Math.max(0, filled - likely)
      return (
        rest +
        MISSING * (open - filled) +
        STRANGE * (filled - unlikely) +
        UNLIKE_MISSING * unlikely +
        OUT_OF_ORDER * Math.max(0, filled - gaps.size) +
        1.5 * STRANGE * (unknown.length - filled) +
        Math.min(descents, 3) +
        late
      )
    },
  }
}

function bounds({ after, before }: UnknownPage, blankPages: number): [low: number, high: number] {
  if (before === null) return [after, blankPages + 1]
  return after < before ? [after, before] : [before, after]
}
