import { createPaperReader } from '../../server/src/papers/paper-reader.ts'
import { biologyQuiz } from '../papers/demo-biology.ts'
import { physicsQuiz } from '../papers/demo-physics.ts'
import { demoStudents } from '../papers/demo-students.ts'
import { drawStudentPaper } from '../papers/draw-papers.ts'
import { simulateScan } from '../papers/scan.ts'
import { createPaperFolder } from '../papers/temporary-papers.ts'

const SKEWS = [0, 2, -5, 8, -11, 15]
const RESOLUTIONS = [100, 150, 200]

interface WordsRead {
  dpi: number
  skew: number
  /** Share of the words of the paper that were read to the letter. */
  right: number
  words: number
}

/** Words read right on printed papers, scanned in grey as JPEG, by resolution and skew in degrees. */
export async function measureSkewedScans(skews = SKEWS, resolutions = RESOLUTIONS): Promise<WordsRead[]> {
  const papers = await createPaperFolder()
  const reader = createPaperReader({ processes: 1 })
  const [student] = demoStudents
  try {
    const typed = await Promise.all(
      [biologyQuiz, physicsQuiz].map((quiz) => drawStudentPaper(quiz, student, quiz.papers[0]?.answers ?? [], 'typed')),
    )
    const wordsOf = async (bytes: Buffer) => {
      const { pages } = await reader.read(await papers.put(bytes))
      return pages.flatMap(({ lines }) => lines.flatMap(({ text }) => text.match(/[\p{L}\p{N}]+/gu) ?? []))
    }
    const meant = await Promise.all(typed.map(wordsOf))
    const words = meant.flat().length
    const results: WordsRead[] = []
    for (const dpi of resolutions)
      for (const skew of skews) {
        let right = 0
        for (const [i, bytes] of typed.entries()) {
          const scan = await simulateScan(bytes, { seed: 61 + i, dpi, skew, shade: 0.2 })
          right += sharedWords(meant[i] ?? [], await wordsOf(scan))
        }
        results.push({ dpi, skew, right: right / words, words })
      }
    return results
  } finally {
    await reader.close()
    await papers.remove()
  }
}

/** So many words are in both lists, each as often as in the one where it is rarer. */
function sharedWords(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1)
  return other.filter((word) => {
    const left = counts.get(word) ?? 0
    counts.set(word, left - 1)
    return left > 0
  }).length
}

/** A row for each resolution. */
export function formatSkewedScans(results: readonly WordsRead[]): string {
  const rows = [...Map.groupBy(results, ({ dpi }) => dpi)].map(([dpi, all]) =>
    [`${dpi} dpi`, ...all.map(({ skew, right }) => `${skew}°: ${(100 * right).toFixed(1)} %`)].join('  '),
  )
  return [`words right of ${results[0]?.words ?? 0}, by skew`, ...rows].join('\n')
}

if (import.meta.main) console.log(formatSkewedScans(await measureSkewedScans()))
