import type { PrintedQuestion } from '../../layout/printed-question.ts'
import type { Row } from '../../layout/rows.ts'

/** Numbers a key gives answers under that no question has: set like those of the questions, and going on from them. */
export function unmatchedNumbers(questions: readonly PrintedQuestion[], rows: readonly Row[]): string[] {
  const mains = new Set(questions.map(({ mainNumber }) => mainNumber))
  const numbered = rows.flatMap(({ labels: [label], explicit }) =>
    label?.kind === 'number' && (explicit || label.style.length > 1)
      ? [{ style: label.style, value: Number(label.value) }]
      : [],
  )
  const groups = [...Map.groupBy(numbered, ({ style }) => style)].filter(([, group]) => {
    const known = new Set(group.flatMap(({ value }) => (mains.has(value) ? [value] : [])))
    return known.size >= 2 && known.size * 2 >= mains.size
  })
  // Where “Question 1” numbers the answers, “1.” numbers the steps of one.
  const [, leading = []] = groups.find(([style]) => style === 'Q') ?? groups[0] ?? []
  const unmatched = leading
    .filter(({ value }, i) => !mains.has(value) && value === (leading[i - 1]?.value ?? 0) + 1)
    .map(({ value }) => String(value))
  return [...new Set(unmatched)]
}
