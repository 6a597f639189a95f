import type { Row } from '../paper-lines.ts'
import {
  type EachRule,
  type NamedPoints,
  type PointsForm,
  readEachRules,
  readNamedPoints,
  readPercent,
  readProductRule,
  readSum,
  readTotal,
} from './points.ts'

export interface Scope {
  rows: Row[]
  section: string | null
}

export interface PointsNode {
  path: string[]
  rows: Row[]
  /** The headings it stands under, the innermost first; the cover is the last. */
  scopes: Scope[]
  /** All headings before it, which may name it by its number or section. */
  earlier: readonly Scope[]
  children: this[]
}

/** Numbers in brackets alone are points where so many of the questions have them. */
const [LEAST_BARE, BARE_SHARE] = [2, 0.3]
/** Share that is one more than the one before, as labels are. */
const COUNTING = 0.8
/** Fewest parts without points that a number at the end of the last one may be for. */
const LEAST_OPEN = 3
const FORMS: PointsForm[] = ['unit', 'slash', 'bare', 'percent']

const same = (a: number, b: number) => Math.abs(a - b) < 0.01
const total = (points: readonly (number | undefined)[]) => points.reduce<number>((sum, one) => sum + (one ?? 0), 0)
export const leavesOf = <N extends PointsNode>(node: N): N[] =>
  node.children.length === 0 ? [node] : node.children.flatMap(leavesOf)
export const withParts = <N extends PointsNode>(node: N): N[] => [node, ...node.children.flatMap(withParts)]

/** `inKey`: of a key's question only the first row names its points; the others are the answer. */
export function treePoints<N extends PointsNode>(
  roots: readonly N[],
  paperTotal: number | null,
  inKey = false,
): Map<N, number> {
  const named = new Map<N, NamedPoints[]>()
  const nodes = roots.flatMap(withParts)
  for (const node of nodes) named.set(node, namedIn(node.rows, inKey))
  dropBareNumbers(roots, nodes, named)
  const points = new Map<N, number>()
  for (const [node, own] of named) {
    const first = ownPoints(own)
    if (first && first.form !== 'percent') points.set(node, first.points)
  }
  const namedOf = (node: N) => named.get(node) ?? []
  for (const node of nodes.toReversed()) if (node.children.length > 0) shareClosing(node, points, namedOf)
  shareSums(nodes, points)
  const worths = nodes.map((node) => points.get(node))
  sharePercents(roots, paperTotal ?? 100, points, named)
  for (const [i, { children }] of nodes.entries()) sharePercents(children, worths[i], points, named)
  for (const node of nodes) {
    const amount = eachBelow(node, points, namedOf(node))
    if (amount !== null) for (const leaf of leavesOf(node)) if (!points.has(leaf)) points.set(leaf, amount)
  }
  const scopes = new Set(roots.flatMap(({ earlier }) => earlier))
  const rules = new Map(
    [...scopes].map((scope, i) => [scope, [...(i > 0 ? productsIn(scope) : []), ...rulesIn(scope)]]),
  )
  const parts = partsOfRoots(roots, new Set([...rules.values()].flat().flatMap(({ section }) => section ?? [])))
  const rulesByRoot = Map.groupBy(roots, (root) => ruleFor(root, parts.get(root), (scope) => rules.get(scope) ?? []))
  for (const [rule, own] of rulesByRoot) if (rule) applyRule(rule, own, points)
  return points
}

const rulesIn = ({ rows }: Pick<Scope, 'rows'>): EachRule[] => readEachRules(rows.map(({ text }) => text).join(' '))

/** “10 × 2 = 20 marks”; a cover may list such sums of its sections. */
const productsIn = ({ rows }: Scope): EachRule[] => rows.flatMap(({ text }) => readProductRule(text) ?? [])

function eachBelow<N extends PointsNode>(
  node: N,
  points: ReadonlyMap<N, number>,
  named: readonly NamedPoints[],
): number | null {
  if (node.children.length === 0) return null
  const amounts = [...named.flatMap(({ factors = [] }) => factors), ...rulesIn(node).map((rule) => rule.points)]
  const whole = points.get(node)
  const [last] = amounts.slice(-1)
  if (last === undefined || whole === undefined) return last ?? null
  const leaves = leavesOf(node)
  const open = leaves.filter((leaf) => !points.has(leaf)).length
  const left = whole - total(leaves.map((leaf) => points.get(leaf)))
  const agrees = [last, ...amounts, total(amounts)].find((amount) => same(amount * open, left))
  return agrees ?? (Number.isInteger(left / last) && left / last > open ? last : null)
}

/** “19 questions, each worth 4 points” may count parts. */
function applyRule<N extends PointsNode>(rule: EachRule, roots: readonly N[], points: Map<N, number>): void {
  const open = roots.filter((root) => !points.has(root))
  const leaves = open.flatMap(leavesOf).filter((leaf) => !points.has(leaf))
  const ofParts = rule.of !== 'question' || (rule.count === leaves.length && rule.count !== open.length)
  for (const node of ofParts ? leaves : open) points.set(node, rule.points)
}

const PART_HEADING = /^\W*(?:(?:[Pp]art|PART)\s+)?([A-Z])(?:[.:]\s|\s*$)/

/** By the last heading before a question of the parts that instructions name (“All questions in Part A are 1 pt”). */
function partsOfRoots<N extends PointsNode>(roots: readonly N[], named: ReadonlySet<string>): Map<N, string> {
  const found = new Map<N, string>()
  const read = new Set<Scope>()
  let part: string | undefined
  const look = (rows: readonly Row[]) => {
    const letters = new Set(rows.flatMap(({ text }) => PART_HEADING.exec(text)?.[1]?.toLowerCase() ?? []))
    const [letter = '', other] = letters
    // “A. …”, “B. …” below each other are options.
    if (other === undefined && named.has(letter)) part = letter
  }
  for (const root of roots) {
    for (const scope of root.earlier.filter((one) => !read.has(one))) {
      read.add(scope)
      look(scope.rows)
    }
    if (part !== undefined && !named.has(sectionOf(root) ?? '')) found.set(root, part)
    look(withParts(root).flatMap(({ rows }) => rows.slice(1)))
  }
  return found
}

const sectionOf = ({ scopes }: Pick<PointsNode, 'scopes'>) =>
  scopes.find((scope) => scope.section !== null)?.section?.toLowerCase()

/** A rule for the question's number or section, else for all, the nearest first. */
function ruleFor(
  { path, scopes, earlier }: PointsNode,
  part: string | undefined,
  rulesOf: (scope: Scope) => EachRule[],
): EachRule | undefined {
  const number = Number(path[0])
  const section = sectionOf({ scopes })
  const names = ({ numbers, section: of }: EachRule) =>
    numbers ? numbers[0] <= number && number <= numbers[1] : of !== null && (of === section || of === part)
  const ofAll = ({ numbers, section: of }: EachRule) => numbers === null && of === null
  // “Essay (8 points)” speaks of its own questions, whatever stands above it.
  const hasTotal = (scope: Scope, i: number) => i < scopes.length - 1 && scopeTotal(scope) !== null
  return (
    earlier.flatMap(rulesOf).findLast(names) ??
    scopes
      .map((scope, i) => rulesOf(scope).findLast(ofAll) ?? (hasTotal(scope, i) ? null : undefined))
      .find((rule) => rule !== undefined) ??
    undefined
  )
}

const OF_PAPER = /\btotal\b.{0,12}\b(?:paper|exam|test)\b/i

/** In order; a number in the margin after those in words. */
function namedIn(rows: readonly Row[], inKey: boolean): NamedPoints[] {
  return rows.flatMap((row, i) => {
    if (OF_PAPER.test(row.text)) return []
    const last = row.cells.length > 1 ? row.cells.at(-1) : undefined
    const next = rows[i + 1]
    const broken =
      next && /[([]\s*(?:points:\s*)?\d{0,3}\s*$/.test(row.text) ? readNamedPoints(`${row.text} ${next.text}`) : null
    const label = row.labels.at(-1)?.end ?? 0
    const labelless = label > 0 && i === 0 ? readNamedPoints(row.text.slice(label)) : null
    const marks = (row.marks ?? []).map(
      (points): NamedPoints => ({ points, form: 'unit', from: row.text.length, to: row.text.length }),
    )
    const beside = marks[0] ? readNamedPoints(`${row.text} (${marks[0].points})`) : null
    const inText =
      (beside?.factors ? beside : null) ??
      (last && readNamedPoints(last.text)) ??
      readNamedPoints(row.text) ??
      labelless ??
      broken ??
      readPercent(row.text)
    const text = inText && !(marks.length > 0 && inText.form !== 'unit') ? [inText] : []
    if (inKey && i > 0) return text.filter(() => /\bmax/i.test(row.text))
    return [...text, ...marks].filter((one, at, all) => at === 0 || !same(one.points, all[at - 1]?.points ?? 0))
  })
}

/** The sum of the others, else the first in the surest form. */
function ownPoints(named: readonly NamedPoints[]): NamedPoints | undefined {
  const sum = named.find(({ points }, i) => i > 1 && same(points, total(named.slice(0, i).map((one) => one.points))))
  if (sum) return sum
  return FORMS.map((form) => named.find((one) => one.form === form)).find((one) => one !== undefined)
}

/** Numbers in brackets are points only where enough questions, or all parts of one, have them without counting up. */
function dropBareNumbers<N extends PointsNode>(
  roots: readonly N[],
  nodes: readonly N[],
  named: Map<N, NamedPoints[]>,
): void {
  const bareOf = (node: N) => named.get(node)?.find(({ form }) => form === 'bare')
  const counts = (bare: readonly NamedPoints[]) =>
    bare.length > 3 &&
    bare.filter(({ points }, i) => i > 0 && points === (bare[i - 1]?.points ?? 0) + 1).length >=
      COUNTING * (bare.length - 1)
  const marked = nodes.filter((node) => bareOf(node) || node.rows.some(({ marks }) => marks !== undefined)).length
  const enough = marked >= Math.max(LEAST_BARE, roots.flatMap(leavesOf).length * BARE_SHARE)
  if (enough && !counts(nodes.flatMap((node) => bareOf(node) ?? []))) return
  const kept = new Set(
    nodes.flatMap(({ children }) => {
      const bare = children.flatMap((child) => bareOf(child) ?? [])
      return bare.length >= LEAST_BARE && bare.length === children.length && !counts(bare) ? children : []
    }),
  )
  for (const [node, own] of named) {
    const worded = own.filter(({ form }) => form !== 'bare')
    if (!kept.has(node)) named.set(node, worded)
  }
}

/** At the end of the last part: “(8 x 1) (8)” for all parts, or a sum below their own. */
function shareClosing<N extends PointsNode>(node: N, points: Map<N, number>, namedOf: (node: N) => NamedPoints[]) {
  const leaves = leavesOf(node)
  const last = leaves.at(-1)
  if (!last) return
  const others = leaves.slice(0, -1)
  const end = ownPoints(namedOf(last))
  if (end && others.length > 0 && others.every((leaf) => !points.has(leaf))) {
    const each =
      end.factors?.[0] === leaves.length ? end.factors[1] : end.factors?.[1] === leaves.length ? end.factors[0] : null
    const even =
      !end.factors && leaves.length >= LEAST_OPEN && end.form === 'unit' && Number.isInteger(end.points / leaves.length)
    if (each === null && !even) return
    for (const leaf of leaves) points.set(leaf, each ?? end.points / leaves.length)
    if (!points.has(node)) points.set(node, end.points)
    return
  }
  const sum = total(node.children.map((child) => points.get(child)))
  if (!points.has(node) && namedOf(last).some(({ points: one }, i) => i > 0 && same(one, sum))) points.set(node, sum)
}

/** “(4+6+2=12)” above three parts. */
function shareSums<N extends PointsNode>(nodes: readonly N[], points: Map<N, number>): void {
  for (const { rows, children } of nodes) {
    const sum = rows.map(({ text }) => readSum(text)).find((one) => one !== null)
    if (sum?.length !== children.length) continue
    for (const [i, child] of children.entries()) if (!points.has(child)) points.set(child, sum[i] ?? 0)
  }
}

function sharePercents<N extends PointsNode>(
  parts: readonly N[],
  worth: number | undefined,
  points: Map<N, number>,
  named: ReadonlyMap<N, NamedPoints[]>,
): void {
  const percents = parts.map((part) => named.get(part)?.find(({ form }) => form === 'percent')?.points)
  if (worth === undefined || parts.length < 2 || !same(total(percents), 100)) return
  for (const [i, part] of parts.entries()) if (!points.has(part)) points.set(part, (worth * (percents[i] ?? 0)) / 100)
}

export function scopeTotal({ rows }: Scope): number | null {
  const [first] = rows
  if (!first) return null
  const named = readNamedPoints(first.text)
  return readTotal(first.text) ?? (named?.form === 'unit' ? named.points : null)
}
