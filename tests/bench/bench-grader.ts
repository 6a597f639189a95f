/**
 * `npm run bench:grader -- FOLDER`: agreement of the offline grader with human scores on the answers (`*.jsonl`) of a
 * folder. `rows`, `papers`, `reliability`, `marks`, `groups` or `copies` after it runs only that part.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { evaluateRows } from '../../server/src/grader/offline/evaluate-rows.ts'
import type { Agreement } from './agreement.ts'
import { agreementWithAnchors, evaluateVariants, leaveOneOut, SETTING_VARIANTS } from './anchored-agreement.ts'
import { measureClass } from './class-of-30.ts'
import { groupedByUs, groupedPlainly, withMarked } from './marked-answers.ts'
import { DISGUISES, findPlanted, measureLarge } from './planted-copies.ts'
import { reliabilityOf, reliabilityTable } from './reliability.ts'
import { readScoredSets, type ScoredSet } from './scored-rows.ts'

const [folder, ...parts] = process.argv.slice(2)
if (!folder) {
  console.error('usage: npm run bench:grader -- FOLDER [rows] [papers] [reliability] [marks] [groups] [copies]')
  process.exit(2)
}
const isSelected = (part: string) => parts.length === 0 || parts.includes(part)
const sets = readScoredSets(folder)
if (sets.length === 0) {
  console.error(`No .jsonl files in ${folder}.`)
  process.exit(1)
}

const ANCHORS = [0, 1, 3, 5]
const MEASURES: [string, keyof Agreement][] = [
  ['Pearson r', 'pearson'],
  ['Spearman', 'spearman'],
  ['kappa', 'kappa'],
  ['RMSE', 'rmse'],
  ['RMSE of mean', 'rmseOfMean'],
  ['confident half', 'confidentHalf'],
]
const cell = (text: string) => text.padStart(15)
const figure = ({ mean, within }: { mean: number; within: number }) =>
  `${mean.toFixed(3)}${within > 0 ? ` ± ${within.toFixed(3)}` : ''}`

function printRows() {
  for (const set of sets) {
    console.log(`\n${set.name}: ${set.rows.length} answers, by number of teacher-graded answers per question`)
    console.log(['', ...ANCHORS.map(String)].map(cell).join(''))
    const columns = ANCHORS.map((anchors) => agreementWithAnchors(set, anchors))
    for (const [what, name] of MEASURES)
      console.log([what, ...columns.map((one) => figure(one[name]))].map(cell).join(''))
    checkAgainstReference(set, columns[0]?.pearson.mean ?? 0)
  }
  const tried = evaluateVariants(sets)
  console.log(`\nr and confident half with other constants\n${cell('')}${sets.map(({ name }) => cell(name)).join('')}`)
  for (const [i, { what }] of SETTING_VARIANTS.entries())
    console.log(`${cell(what.padStart(18))}${(tried[i] ?? []).map((one) => cell(pair(one))).join('')}`)
  printLeaveOneOut('r', (one) => one.pearson)
  printLeaveOneOut('the confident half', (one) => -one.confidentHalf)

  function printLeaveOneOut(by: string, figure: (one: Agreement) => number) {
    console.log(`\nLeave one file out: constants chosen by ${by} on the others`)
    for (const [i, { choice, agreement }] of leaveOneOut(tried, sets.length, figure).entries())
      console.log(
        `${cell(sets[i]?.name ?? '')}${agreement ? cell(pair(agreement)) : ''} with ${SETTING_VARIANTS[choice]?.what}`,
      )
  }
}

const pair = ({ pearson, confidentHalf }: Agreement) => `${pearson.toFixed(3)} ${confidentHalf.toFixed(3)}`

const ReferenceResults = z.object({ sets: z.record(z.string(), z.object({ pearson: z.number() })) })

/** If the data set has its own evaluation script, checks that it agrees with ours. */
function checkAgainstReference({ name, rows }: ScoredSet, ours: number) {
  const script = join(folder ?? '', 'evaluate.mjs')
  const gold = [`${name}.dev.jsonl`, `${name}.jsonl`].map((file) => join(folder ?? '', file)).find(existsSync)
  if (!existsSync(script) || !gold) return
  const tempFolder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    const file = join(tempFolder, 'predictions.jsonl')
    writeFileSync(
      file,
      evaluateRows(rows)
        .map((row) => JSON.stringify(row))
        .join('\n'),
    )
    const printed = execFileSync(process.execPath, [script, gold, file, '--json'], { encoding: 'utf8' })
    const theirs = Object.values(ReferenceResults.parse(JSON.parse(printed)).sets)[0]?.pearson ?? 0
    const same = Math.abs(theirs - ours) < 0.001
    console.log(`${cell('evaluate.mjs')}  r ${theirs.toFixed(4)}${same ? '' : ', which differs from ours'}`)
    if (!same) process.exitCode = 1
  } finally {
    rmSync(tempFolder, { recursive: true })
  }
}

async function printPapers() {
  console.log('\nWhole papers through the product: a class of 30, totals compared with human scores')
  const measure = async (style: 'typed' | 'scanned') => {
    const cost = await measureClass(sets, style)
    const words = `${(cost.wordsRead * 100).toFixed(1)} % of the words extracted`
    const figures = `r ${cost.r.toFixed(3)}, RMSE ${cost.rmse.toFixed(3)}, ${words}`
    console.log(`${cell(style)}  ${figures}, ${cost.pages} pages in ${cost.seconds.toFixed(0)} s`)
    return cost
  }
  const typed = await measure('typed')
  const scanned = await measure('scanned')
  console.log(`${cell('loss')}  ${(typed.r - scanned.r).toFixed(3)}, goal: at most 0.05`)
}

function printReliability() {
  const table = reliabilityTable(
    sets.map(({ name, rows }) => {
      const judged = evaluateRows(rows).map(({ score, confidence }, i) => ({
        person: rows[i]?.share ?? 0,
        ours: score,
        confidence,
      }))
      return { name, reliability: reliabilityOf(judged) }
    }),
  )
  console.log(`\nReliability: answers, expected → found error\n${table}`)
}

function printMarks() {
  console.log('\nr, RMSE of 5, error promised → found of the answers not marked, and the share of them moved')
  const line = (set: ScoredSet, count: number, chosen: 'rule' | 'random') => {
    const { pearson, rmse, promised, found, moved } = withMarked(set, count, chosen)
    const figures = `r ${pearson.toFixed(3)}  RMSE ${(5 * rmse).toFixed(2)}  ${promised.toFixed(3)} → ${found.toFixed(3)}`
    const what = count === 0 ? 'alone' : `${count} ${chosen === 'rule' ? 'by the rule' : 'drawn'}`
    console.log(`${cell(set.name)} ${what.padEnd(14)} ${figures}${count > 0 ? `  moved ${percent(moved)}` : ''}`)
  }
  for (const set of sets) {
    line(set, 0, 'random')
    for (const count of [3, 5]) for (const chosen of ['random', 'rule'] as const) line(set, count, chosen)
  }
}

function printGroups() {
  console.log(
    '\nAnswers in groups, pairs of them with the same human score, and answers that need no look of their own',
  )
  for (const set of sets)
    for (const [what, measure] of [
      ['plain', groupedPlainly],
      ['ours', groupedByUs],
    ] as const) {
      const { inGroups, samePairs, pairs, spared } = measure(set)
      const figures = `${percent(inGroups)} in groups, ${percent(samePairs)} of ${pairs} pairs, ${percent(spared)} spared`
      console.log(`${cell(set.name)} ${what.padEnd(6)} ${figures}`)
    }
}

async function printCopies() {
  console.log('\nPlanted copies found in classes of 30, by how many of nine answers are copied; false hints a class')
  const nobody = await findPlanted(sets, null, 0, 60)
  console.log(
    `nobody copied: ${nobody.falseHints.toFixed(3)} false hints, ${nobody.milliseconds.toFixed(0)} ms CPU a class`,
  )
  for (const [name, disguise] of Object.entries(DISGUISES)) {
    const shares: string[] = []
    for (const copied of [1, 3, 5, 9]) {
      const { found, falseHints } = await findPlanted(sets, disguise, copied)
      shares.push(`${copied}: ${percent(found)} (${falseHints.toFixed(3)})`)
    }
    console.log(`${name}: ${shares.join(', ')}`)
  }
  const { seconds } = await measureLarge(sets, 2000)
  console.log(`2,000 papers: ${seconds.toFixed(1)} s CPU`)
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

if (isSelected('rows')) printRows()
if (isSelected('papers')) await printPapers()
if (isSelected('reliability')) printReliability()
if (isSelected('marks')) printMarks()
if (isSelected('groups')) printGroups()
if (isSelected('copies')) await printCopies()
