export type Weights = Record<string, number>

export class LinearModel {
  readonly names: string[] = []
  readonly weights: number[] = []
  readonly #ids = new Map<string, number>()

  constructor(learnt: Weights = {}) {
    for (const [name, weight] of Object.entries(learnt)) this.weights[this.idOf(name)] = weight
  }

  idOf(name: string): number {
    let id = this.#ids.get(name)
    if (id === undefined) {
      id = this.names.length
      this.#ids.set(name, id)
      this.names.push(name)
      this.weights.push(priorWeight(name))
    }
    return id
  }

  scoreOf(features: readonly number[]): number {
    let sum = 0
    for (const id of features) sum += this.weights[id] ?? 0
    return sum
  }
}

/**
 * The first pattern that fits counts. `Q0` to `Q2`: a question and its parts by depth, `O`: option, `N`: numbers
 * nothing, `S`: section, `R`: a level named again.
 */
const PRIORS: [RegExp, number][] = [
  [/^N\|next\|points$/, -1.2],
  [/^N\|.*next/, -0.5],
  [/^N\|worded$/, -1],
  [/^N\|decimal$/, -0.7],
  [/^Q\d$/, -1.2],
  [/^Q\d\|rel:next(?:Section)?$/, 1.5],
  [/^Q\d\|rel:first$/, 0.3],
  [/^Q\d\|rel:(?:late|jump)$/, -1.5],
  [/^Q\d\|rel:skip$/, -1.5],
  [/^Q\d\|skip\|sameColumn$/, 2.3],
  [/^Q\d\|rel:restart$/, -2.5],
  [/^Q.*sameStyle:true$/, 0.7],
  [/^Q.*sameStyle:false$/, -1.5],
  [/^O.*\|points$/, -1],
  [/\|points$/, 0.7],
  [/^O.*\|(?:asks|room|pointsBelow)$/, -0.3],
  [/\|(?:asks|room|pointsBelow)$/, 0.3],
  [/other:true$/, 0.5],
  [/other:false$/, -0.5],
  [/^Q0.style:Q1$/, 1],
  [/^Q[12]\|style:Q/, -2],
  [/^Q[12]\|style:\.1$/, 1],
  [/^Q0\|amongWorded$/, -1.5],
  [/^Q0\|runInstructs:3$/, -1.5],
  [/^Q0\|runInstructs:2$/, -1],
  [/^Q[12]\|runInstructs:3$/, -1],
  [/^Q0\|anewAfterInstructions$/, -4],
  [/^Q.\|runCode:[23]$/, -1.5],
  [/^Q.\|truth$/, -2],
  [/^Q.\|leaves:\(/, -1],
  [/^Q.\|parentPoints:true\|false$/, -0.3],
  [/^Q.\|parentChooses:true/, -0.7],
  [/^Q[12]\|statement$/, -0.3],
  [/^O\|statement$/, 0.4],
  [/^Q[12]\|lettered:true$/, -3],
  [/^O\|lettered:true$/, 3],
  [/^Q[12]\|case:A$/, -0.7],
  [/^O\|case:A$/, 0.4],
  [/^O\|case:1$/, -1.2],
  [/^Q[12]\|fill$/, -1],
  [/^Q[12]\|namesPart$/, 3],
  [/^O\|namesPart$/, -3],
  [/^Q[12]\|parentEach$/, 1.5],
  [/^O\|parentEach$/, -1.5],
  [/^O$/, -0.5],
  [/^O\|rel:next/, 1],
  [/^O\|style:A/, 0.5],
  [/^O\|style:Q/, -3],
  [/^O\|runLength:4$/, -0.8],
  [/^O\|truth$/, 1],
  [/^O\|parentChooses:true$/, 1],
  [/^O\|parentPoints:true$/, 0.7],
  [/^S$/, 0.5],
  [/^R\d$/, 0.5],
  [/^R\d\|sameStyle:false$/, -0.5],
]

const priorWeight = (name: string): number => PRIORS.find(([pattern]) => pattern.test(name))?.[1] ?? 0
