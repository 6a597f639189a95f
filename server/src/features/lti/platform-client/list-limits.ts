/** More than an LMS lists on a page, even one that ignores the page size: each entry is checked on its own. */
export const MAX_ENTRIES = 50_000
/** Several times what a page of so many people holds. Parsing blocks the process, for seconds with more values. */
const MAX_VALUES = 1_000_000

/** Checked before parsing, by separators; commas and brackets within texts count too. */
export function hasTooManyValues(json: string): boolean {
  let values = 0
  for (const mark of [',', '[', '{']) {
    for (let at = json.indexOf(mark); at !== -1; at = json.indexOf(mark, at + 1)) {
      values += 1
      if (values > MAX_VALUES) return true
    }
  }
  return false
}
