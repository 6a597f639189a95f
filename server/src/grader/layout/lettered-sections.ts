import type { Row } from './rows.ts'

/** So many sections that number anew show that the letters divide the paper. */
const LEAST_ANEW = 2

/**
 * “A. Fill in the gaps.” above 1, 2, 3 and “B. Choose.” above another 1, 2: rows that begin a section by its letter bear its name. Options to
 * choose from have letters too, but no numbers below each.
 */
export function nameLetteredSections(rows: readonly Row[]): Row[] {
  const styles = Map.groupBy(
    rows.filter(({ labels: [label] }) => label?.kind === 'letter' && /A[.):]/.test(label.style)),
    ({ labels }) => labels[0]?.style,
  )
  for (const candidates of styles.values()) {
    const run: Row[] = []
    for (const row of candidates) {
      const letter = row.labels[0]?.value ?? ''
      if (letter.length === 1 && letter.charCodeAt(0) - 96 === run.length + 1) run.push(row)
    }
    const places = run.map((row) => rows.indexOf(row))
    const anew = places.filter((at, i) => rows.slice(at + 1, places[i + 1] ?? rows.length).some(startsNumbers)).length
    if (anew < LEAST_ANEW) continue
    const sections = new Set(run)
    return rows.map((row) =>
      sections.has(row) ? { ...row, section: (row.labels[0]?.value ?? '').toUpperCase() } : row,
    )
  }
  return [...rows]
}

const startsNumbers = ({ labels: [label] }: Row): boolean =>
  label?.kind === 'number' && label.value === '1' && label.style.length > 1

/** From a section's row to the next section or numbered question, where no number is in it: the section is a question. */
export function sectionsWithoutNumbers(
  rows: readonly Row[],
  starts: readonly number[],
): { at: number; rows: Row[]; name: string }[] {
  const headings = rows.flatMap(({ section }, at) => (section === undefined ? [] : [{ at, section }]))
  return headings.flatMap(({ at, section }, i) => {
    const end = headings[i + 1]?.at ?? rows.length
    return starts.some((start) => start >= at && start < end) ? [] : [{ at, rows: rows.slice(at, end), name: section }]
  })
}
