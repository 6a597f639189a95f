import { seededRandom } from '../../../lib/seeded-random.ts'
import { decode, stepsOf } from './beam-search.ts'
import { LinearModel, type Weights } from './linear-model.ts'
import { levelsOf, nodesOf, pathsOf, pathsOfStep, type Step, withoutLists } from './outline-steps.ts'
import { asEvidence, type OtherDocument, type PreparedDocument } from './prepared-document.ts'

export interface LabelledExam {
  /** Its maker: weights are never judged on exams of a maker they were learnt from. */
  origin: string
  blank: PreparedDocument
  key: PreparedDocument
  numbers: readonly string[]
  /** 1 for a whole exam, less for one that was drawn. */
  weight: number
}

export interface ReaderWeights {
  blank: Weights
  key: Weights
}

const EPOCHS = 8
const STEP = 0.015
/** How much right numbers count for the outline to learn from, and wrong ones for the one to unlearn. */
const [HOPE, FEAR] = [1.5, 0.7]
const RESTART = 6 // wrong numbers
const BEAM = 16

/** Averaged perceptron (Freund and Schapire, 1999). */
class AveragedModel extends LinearModel {
  readonly #sums: number[] = []
  readonly #changed: number[] = []
  #time = 0

  change(features: ReadonlyMap<number, number>, by: number): void {
    for (const [id, count] of features) {
      this.#settle(id)
      this.weights[id] = (this.weights[id] ?? 0) + by * count
    }
  }

  tick(): void {
    this.#time += 1
  }

  averaged(): Weights {
    return Object.fromEntries(
      this.names.map((name, id) => {
        this.#settle(id)
        return [name, Math.round(((this.#sums[id] ?? 0) / Math.max(1, this.#time)) * 100) / 100]
      }),
    )
  }

  /** A weight met late had its prior until then. */
  #settle(id: number): void {
    const since = this.#time - (this.#changed[id] ?? 0)
    this.#sums[id] = (this.#sums[id] ?? 0) + (this.weights[id] ?? 0) * since
    this.#changed[id] = this.#time
  }
}

/** Moves weights just enough from the likely wrong outline to the likely right one (Chiang, 2012: hope and fear). */
export function learnWeights(
  exams: readonly LabelledExam[],
  onEpoch: (epoch: number) => void = () => {},
): ReaderWeights {
  const models = { blank: new AveragedModel(), key: new AveragedModel() }
  const random = seededRandom(7)
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (const exam of shuffled(exams, random)) {
      const gain = gainOf(exam.numbers)
      const learn = (model: AveragedModel, document: PreparedDocument, other: OtherDocument) =>
        learnFrom(model, document, other, gain, STEP * exam.weight)
      const first = learn(models.blank, exam.blank, asEvidence(exam.key, new Set(), new Set()))
      const inKey = learn(models.key, exam.key, asEvidence(exam.blank, first, first))
      const last = learn(models.blank, exam.blank, asEvidence(exam.key, inKey, first))
      learn(models.key, exam.key, asEvidence(exam.blank, last, last))
    }
    onEpoch(epoch + 1)
  }
  return { blank: models.blank.averaged(), key: models.key.averaged() }
}

function learnFrom(
  model: AveragedModel,
  document: PreparedDocument,
  other: OtherDocument,
  gain: (step: Step) => number,
  most: number,
) {
  const run = (bonus?: (step: Step) => number) =>
    stepsOf(decode(document, other, { model, beam: BEAM, ...(bonus ? { bonus } : {}) }))
  const now = run()
  const hope = run((step) => HOPE * gain(step))
  const fear = run((step) => -FEAR * gain(step))
  const gained = sum(hope, gain) - sum(fear, gain)
  const apart = new Map<number, number>()
  for (const [steps, sign] of [
    [hope, 1],
    [fear, -1],
  ] as const)
    for (const { features } of steps) for (const id of features) apart.set(id, (apart.get(id) ?? 0) + sign)
  let [margin, size] = [0, 0]
  for (const [id, count] of apart) {
    margin += (model.weights[id] ?? 0) * count
    size += count * count
  }
  const loss = 2 * Math.sqrt(Math.max(0, gained)) - margin
  model.tick()
  if (gained > 0 && loss > 0 && size > 0) model.change(apart, Math.min(most, loss / size))
  return pathsOf(withoutLists(now, document))
}

const sum = (steps: readonly Step[], of: (step: Step) => number) => steps.reduce((total, step) => total + of(step), 0)

function gainOf(numbers: readonly string[]): (step: Step) => number {
  const levels = numbers.map(levelsOf)
  const nodes = nodesOf(numbers)
  const sections = new Set(levels.flatMap(([first = '']) => (/^\d/.test(first) ? [] : [first]))).size > 1
  return (step) => {
    if (step.kind !== 'question') return 0
    if (step.restart && !sections) return -RESTART
    return pathsOfStep(step).some((path) => nodes.has(path)) ? 1 : -1
  }
}

const shuffled = <T>(all: readonly T[], random: () => number): T[] =>
  all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
