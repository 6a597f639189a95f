/** An answer in its stratum: `mark` of a person, as an index of the marks that are given. */
interface MarkedAnswer {
  stratum: number
  share: number
  mark: number
}

/** How a question's marks differ from those of like answers of the class: changes of log odds, from no points to all points. */
interface QuestionEffect {
  /** Above 0: higher marks. */
  leniency: number
  /** Above 0: nearer to the grader's shares. */
  closeness: number
}

/** Chosen on public answers so that bounds of single questions hold (`docs/grading.md`). */
const LENIENCY = { mean: 0, sd: 2.5 }
const CLOSENESS = { mean: 1.5, sd: 4.5 }
/** A mark that no answer of a stratum has may be given all the same. */
const TILT_PSEUDOCOUNT = 0.2

/** A grid of standardized effects, each with its prior weight. */
const STEP = 0.5
const STEPS = [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2]
const EFFECTS = STEPS.flatMap((leniency) =>
  STEPS.map((closeness) => ({
    leniency: LENIENCY.mean + leniency * LENIENCY.sd,
    closeness: CLOSENESS.mean + closeness * CLOSENESS.sd,
    prior: Math.exp(-(leniency ** 2 + closeness ** 2) / 2),
  })),
)

/** For each mark by how much an effect makes it likelier, of an answer that the grader gave `share`. */
type Tilt = readonly number[]

const tiltOf = ({ leniency, closeness }: QuestionEffect, marks: readonly number[], share: number): Tilt =>
  marks.map((mark) => Math.exp(leniency * mark - closeness * Math.abs(mark - share)))

/**
 * A question's answers are mostly misjudged alike, which strata over all questions do not tell: its marks are those of its strata, exponentially
 * tilted by random effects of the question, which its own marks make more or less likely.
 * @param marks that are given, as shares of the points
 */
export function questionMarks(marks: readonly number[], own: readonly MarkedAnswer[]) {
  const tilts = EFFECTS.map((effect) => own.map(({ share }) => tiltOf(effect, marks, share)))
  const likely = marks.map(() => 0)
  /** Fills `likely` and returns its sum. */
  const weigh = (counts: readonly number[], tilt: Tilt): number => {
    let total = 0
    for (let i = 0; i < likely.length; i++) {
      const weight = ((counts[i] ?? 0) + TILT_PSEUDOCOUNT) * (tilt[i] ?? 0)
      likely[i] = weight
      total += weight
    }
    return total
  }
  return {
    /**
     * Draws the question's effects, and returns what draws a mark for an answer of it.
     * @param counts of each stratum: how many of its answers have each of the marks
     */
    drawEffects(
      counts: readonly (readonly number[])[],
      random: () => number,
    ): (stratum: number, share: number) => number {
      const logs = EFFECTS.map(({ prior }, e) =>
        own.reduce((sum, { stratum, mark }, i) => {
          const total = weigh(counts[stratum] ?? [], tilts[e]?.[i] ?? [])
          return sum + Math.log((likely[mark] ?? 0) / total)
        }, Math.log(prior)),
      )
      const most = Math.max(...logs)
      const at = drawIndex(
        logs.map((log) => Math.exp(log - most)),
        random,
      )
      const { leniency, closeness } = EFFECTS[at] ?? { leniency: 0, closeness: 0 }
      const effect = {
        leniency: leniency + STEP * LENIENCY.sd * (random() - 0.5),
        closeness: closeness + STEP * CLOSENESS.sd * (random() - 0.5),
      }
      // Many answers have the same share in one stratum.
      const weights = counts.map(() => new Map<number, number[]>())
      return (stratum, share) => {
        let known = weights[stratum]?.get(share)
        if (!known) {
          weigh(counts[stratum] ?? [], tiltOf(effect, marks, share))
          known = [...likely]
          weights[stratum]?.set(share, known)
        }
        return marks[drawIndex(known, random)] ?? 0
      }
    },
  }
}

function drawIndex(weights: readonly number[], random: () => number): number {
  let total = 0
  for (const weight of weights) total += weight
  let left = random() * total
  for (let i = 0; i < weights.length - 1; i++) {
    left -= weights[i] ?? 0
    if (left <= 0) return i
  }
  return weights.length - 1
}
