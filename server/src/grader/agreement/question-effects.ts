/** An answer in its stratum: `mark` of a person, as an index of the marks that are given. */
interface MarkedAnswer {
  stratum: number
  share: number
  mark: number
}

/** How a question's marks differ from those of like answers of the class, in log odds over the whole points. */
interface QuestionEffect {
  /** Above 0: higher marks. */
  leniency: number
  /** Above 0: nearer to the grader's shares. */
  closeness: number
}

/** Chosen on public answers so that bounds of single questions hold (`docs/grading.md`): means and standard deviations. */
const LENIENCY = { mean: 0, deviation: 2.5 }
const CLOSENESS = { mean: 1.5, deviation: 4.5 }
/** A mark that no answer of a stratum has may be given all the same. */
const LEAST_COUNT = 0.2

/** In standard deviations, and how likely each is before any mark. */
const STEP = 0.5
const STEPS = [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2]
const EFFECTS = STEPS.flatMap((leniency) =>
  STEPS.map((closeness) => ({
    leniency: LENIENCY.mean + leniency * LENIENCY.deviation,
    closeness: CLOSENESS.mean + closeness * CLOSENESS.deviation,
    prior: Math.exp(-(leniency ** 2 + closeness ** 2) / 2),
  })),
)

/** For each mark by how much an effect makes it likelier, of an answer that the grader gave `share`. */
export type Tilt = readonly number[]

const tiltOf = ({ leniency, closeness }: QuestionEffect, marks: readonly number[], share: number): Tilt =>
  marks.map((mark) => Math.exp(leniency * mark - closeness * Math.abs(mark - share)))

/**
 * A question's answers are mostly misjudged alike, which strata over all questions do not tell: its marks are those of its strata, tilted
 * by random effects of the question, which its own marks make more or less likely.
 * @param marks that are given, as shares of the points
 */
export function questionMarks(marks: readonly number[], own: readonly MarkedAnswer[]) {
  const tilts = EFFECTS.map((effect) => own.map(({ share }) => tiltOf(effect, marks, share)))
  const likely = marks.map(() => 0)
  /** Fills `likely` and returns its sum. */
  const weigh = (counts: readonly number[], tilt: Tilt): number => {
    let total = 0
    for (let i = 0; i < likely.length; i++) {
      const weight = ((counts[i] ?? 0) + LEAST_COUNT) * (tilt[i] ?? 0)
      likely[i] = weight
      total += weight
    }
    return total
  }
  return {
    /** @param counts of each stratum: how many of its answers have each of the marks */
    drawEffect(counts: readonly (readonly number[])[], random: () => number): (share: number) => Tilt {
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
        leniency: leniency + STEP * LENIENCY.deviation * (random() - 0.5),
        closeness: closeness + STEP * CLOSENESS.deviation * (random() - 0.5),
      }
      const ofShares = new Map<number, Tilt>()
      return (share) => {
        const tilt = ofShares.get(share) ?? tiltOf(effect, marks, share)
        ofShares.set(share, tilt)
        return tilt
      }
    },
    /** @param counts of the answer's stratum */
    drawMark(counts: readonly number[], tilt: Tilt, random: () => number): number {
      weigh(counts, tilt)
      return marks[drawIndex(likely, random)] ?? 0
    },
  }
}

function drawIndex(weights: readonly number[], random: () => number): number {
  let left = random() * weights.reduce((sum, one) => sum + one, 0)
  for (let i = 0; i < weights.length - 1; i++) {
    left -= weights[i] ?? 0
    if (left <= 0) return i
  }
  return weights.length - 1
}
