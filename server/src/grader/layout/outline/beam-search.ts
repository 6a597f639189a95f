import type { CandidateFacts } from './candidate-facts.ts'
import type { LabelCandidate } from './label-candidates.ts'
import type { LinearModel } from './linear-model.ts'
import { type Step, stepOf } from './outline-steps.ts'
import { numberOfLevels, type OtherDocument, type PreparedDocument } from './prepared-document.ts'
import { depthClass, dxClass, type Level, rejectFeatures, relationOf, type State, similarity } from './step-features.ts'

interface Hypothesis {
  state: State
  key: string
  score: number
  before: Hypothesis | null
  step: Step | null
}

const BEAM = 40
const DEPTHS = 4

export interface Decoder {
  model: LinearModel
  /** How right or wrong a step is, to learn from. */
  bonus?: (step: Step) => number
  beam?: number
}

export function decode(document: PreparedDocument, other: OtherDocument | null, decoder: Decoder): Hypothesis {
  const { model, bonus } = decoder
  const { candidates, facts } = document
  const start: State = { levels: [], styles: [], section: null, fresh: false }
  let beam: Hypothesis[] = [{ state: start, key: '', score: 0, before: null, step: null }]
  for (let c = 0; c < candidates.length; c += 1) {
    const candidate = candidates[c] as LabelCandidate
    const fact = facts[c] as CandidateFacts
    const similar = similarity(candidate, fact, other)
    const statics = new Map<string, number[]>()
    const staticOf = (kind: string, token: number) => {
      const key = `${kind}${token}`
      let found = statics.get(key)
      if (!found) {
        const own = kind === 'O' ? fact.optionFacts : fact.facts
        const style = candidate.tokens[token]?.style ?? ''
        const isLast = token === candidate.tokens.length - 1
        found = [
          model.idOf(kind),
          model.idOf(`${kind}|style:${style}`),
          model.idOf(`${kind}|case:${style.includes('A') ? 'A' : style.includes('a') ? 'a' : '1'}`),
          ...(isLast ? own : ['inner']).map((name) => model.idOf(`${kind}|${name}`)),
          ...(isLast && similar !== null ? [model.idOf(`${kind}|similar:${similar}`)] : []),
        ]
        statics.set(key, found)
      }
      return found
    }
    const next = new Map<string, Hypothesis>()
    const push = (from: Hypothesis, state: State, step: Step) => {
      const score = from.score + model.scoreOf(step.features) + (bonus?.(step) ?? 0)
      const key = keyOf(state)
      const known = next.get(key)
      if (!known || known.score < score) next.set(key, { state, key, score, before: from, step })
    }
    const given: Given = { c, candidate, fact, staticOf, other, model, push }
    for (const hypothesis of beam) {
      const { state } = hypothesis
      const features = rejectFeatures(candidate, fact, state, model, similar)
      push(hypothesis, state, stepOf(c, 'none', { features }))
      if (candidate.section) {
        const [token] = candidate.tokens
        // Where “Part A” was a question, “Part B” is no section.
        if (token && token.style !== state.levels[0]?.style)
          push(
            hypothesis,
            { ...state, levels: state.levels.slice(0, 1), section: token.value, fresh: true },
            stepOf(c, 'section', { section: token.value, end: token.end, features: staticOf('S', 0) }),
          )
      }
      extend(hypothesis, given)
      takeAsOption(hypothesis, given)
    }
    beam = [...next.values()].sort((a, b) => b.score - a.score).slice(0, decoder.beam ?? BEAM)
  }
  return beam[0] as Hypothesis
}

interface Given {
  c: number
  candidate: LabelCandidate
  fact: CandidateFacts
  staticOf: (kind: string, token: number) => number[]
  other: OtherDocument | null
  model: LinearModel
  push: (from: Hypothesis, state: State, step: Step) => void
}

function extend(hypothesis: Hypothesis, { c, candidate, fact, staticOf, other, model, push }: Given): void {
  const { state } = hypothesis
  const hasPoints = fact.facts.includes('points') || fact.facts.includes('pointsBelow')
  const instructs = fact.facts.some((one) => one === 'runInstructs:3' || one === 'runInstructs:2')
  const visit = (token: number, levels: Level[], depthFrom: number, features: number[], restart: boolean) => {
    const label = candidate.tokens[token]
    if (!label) return
    const deepest = token === 0 ? Math.min(levels.length, DEPTHS - 1) : depthFrom
    const shallowest = token === 0 ? 0 : depthFrom
    for (let depth = shallowest; depth <= deepest; depth += 1) {
      if (depth > levels.length || depth >= DEPTHS) continue
      for (const { series, rank } of label.ranks) {
        const before = levels[depth]
        if (before?.option) continue
        const parent = levels[depth - 1]
        // The second of two in one style stands beside the first and not below it.
        if (
          token === 0 &&
          !before &&
          parent &&
          parent.style === label.style &&
          parent.series === series &&
          (rank > 1 || candidate.x < parent.x + 8)
        )
          continue
        if (token === 0 && /^(?:1\.1|01)$/.test(label.style) && parent?.series === 'number') continue
        const relation = relationOf(before, series, rank, depth, token < candidate.tokens.length - 1, state.fresh)
        if (relation === null) continue
        const D = depthClass(depth)
        const { style } = label
        const own =
          relation === 'repeat'
            ? [...features, model.idOf(`R${D}`), model.idOf(`R${D}|sameStyle:${before?.style === style}`)]
            : [
                ...features,
                ...staticOf(`Q${D}`, token),
                model.idOf(`Q${D}|rel:${relation}`),
                model.idOf(`Q${D}|series:${series}`),
              ]
        const x = token === 0 ? candidate.x : candidate.x + 8 * token
        if (before && relation === 'repeat')
          own.push(model.idOf(`R${D}|dx:${token === 0 ? dxClass(x - before.x) : 'inner'}`))
        else if (before) {
          if ((relation === 'anew' || relation === 'restart') && before.instructs)
            own.push(model.idOf(`Q${D}|anewAfterInstructions`))
          own.push(model.idOf(`Q${D}|${relation}|sameStyle:${before.style === style}`))
          if (relation === 'skip' && before.style === style && dxClass(x - before.x) === 0)
            own.push(model.idOf(`Q${D}|skip|sameColumn`))
          if (token === 0)
            own.push(
              model.idOf(`Q${D}|dx:${dxClass(x - before.x)}`),
              model.idOf(`Q${D}|boldSame:${before.bold === candidate.bold}`),
            )
          if (levels.length > depth + 1)
            own.push(model.idOf(`Q${D}|pops:${Math.min(2, levels.filter(({ option }) => !option).length - depth - 1)}`))
        } else {
          const remembered = state.styles[depth]
          own.push(model.idOf(`Q${D}|childStyle:${remembered === undefined ? 'none' : remembered === style}`))
          if (parent) {
            own.push(model.idOf(`Q${D}|parentChooses:${parent.chooses}`))
            if (other && series !== 'number')
              own.push(model.idOf(`Q${D}|lettered:${other.lettered.has(numberOfLevels(levels.slice(0, depth)))}`))
            if (parent.each) own.push(model.idOf(`Q${D}|parentEach`))
            own.push(model.idOf(`Q${D}|parentPoints:${parent.points}|${hasPoints}`))
            own.push(model.idOf(`Q${D}|sameStyleAsParent:${parent.style === style}`))
            if (token === 0) own.push(model.idOf(`Q${D}|in:${dxClass(x - parent.x)}`))
          }
        }
        const value = depth === 0 && style.includes('A') ? label.value.toUpperCase() : label.value
        const level: Level = {
          style,
          series,
          rank,
          value,
          x,
          bold: candidate.bold,
          option: false,
          instructs,
          points: hasPoints,
          chooses: fact.chooses,
          each: fact.each,
        }
        const deeper = [...levels.slice(0, depth), relation === 'repeat' ? (before as Level) : level]
        const anew = restart || relation === 'anew' || relation === 'restart'
        if (token + 1 < candidate.tokens.length)
          visit(token + 1, relation === 'repeat' ? levels.slice() : deeper, depth + 1, own, anew)
        // “1.2” is never the 1 alone.
        if (relation === 'repeat' || candidate.tokens[token + 1]?.style === '.1') continue
        if (token + 1 < candidate.tokens.length)
          own.push(model.idOf(`Q${D}|leaves:${candidate.tokens[token + 1]?.style}`))
        const path = deeper.map(({ value }) => value)
        const section = state.section
        if (other?.agrees) {
          const has =
            other.paths.has(path.join(' ')) || (section !== null && other.paths.has(`${section} ${path.join(' ')}`))
          own.push(model.idOf(`Q${D}|other:${has}`))
        }
        const styles = state.styles.slice()
        for (const [i, one] of deeper.entries()) styles[i] = one.style
        push(
          hypothesis,
          { levels: deeper, styles, section, fresh: false },
          { candidate: c, kind: 'question', path, section, end: label.end, restart: anew, features: own },
        )
      }
    }
  }
  const questions = state.levels.filter(({ option }) => !option)
  visit(0, questions, 0, [], false)
}

function takeAsOption(hypothesis: Hypothesis, { c, candidate, staticOf, other, model, push }: Given): void {
  const { state } = hypothesis
  if (state.levels.length === 0) return
  const [label, more] = candidate.tokens
  if (!label || more) return
  const last = state.levels.at(-1) as Level
  for (const { series, rank } of label.ranks) {
    const follows = last.option && last.series === series && last.style === label.style && rank === last.rank + 1
    const starts = rank === 1 && !last.option
    if (!follows && !starts) continue
    const features = [
      ...staticOf('O', 0),
      model.idOf(`O|rel:${follows ? `next${Math.min(4, rank)}` : 'first'}`),
      model.idOf(`O|series:${series}`),
    ]
    if (follows)
      features.push(
        model.idOf(`O|dx:${candidate.cell > 0 ? 'beside' : dxClass(candidate.x - last.x)}`),
        model.idOf(`O|boldSame:${last.bold === candidate.bold}`),
      )
    else {
      features.push(model.idOf(`O|parentChooses:${last.chooses}`))
      if (other && series !== 'number')
        features.push(model.idOf(`O|lettered:${other.lettered.has(numberOfLevels(state.levels))}`))
      if (last.each) features.push(model.idOf('O|parentEach'))
      features.push(model.idOf(`O|parentPoints:${last.points}`))
      features.push(model.idOf(`O|in:${candidate.cell > 0 ? 'beside' : dxClass(candidate.x - last.x)}`))
      features.push(model.idOf(`O|childStyle:${state.styles[state.levels.length] === label.style}`))
    }
    const level: Level = {
      style: label.style,
      series,
      rank,
      value: label.value,
      x: candidate.x,
      bold: candidate.bold,
      option: true,
      instructs: false,
      points: false,
      chooses: false,
      each: false,
    }
    const levels = [...state.levels.filter(({ option }) => !option), level]
    const path = levels.map(({ value }) => value)
    push(
      hypothesis,
      { ...state, levels },
      stepOf(c, 'option', { path, section: state.section, end: label.end, features }),
    )
  }
}

const keyOf = ({ levels, section, fresh, styles }: State) =>
  `${section ?? ''}${fresh ? '*' : ''}/${levels.map(({ style, series, rank, option }) => `${style}${series[0]}${rank}${option ? 'o' : ''}`).join(',')}/${styles.join(',')}`

export function stepsOf(hypothesis: Hypothesis): Step[] {
  const steps: Step[] = []
  for (let at: Hypothesis | null = hypothesis; at?.step; at = at.before) steps.push(at.step)
  return steps.reverse()
}
