import { randomUUID } from 'node:crypto'
import type { ClassScanEdit, PageTurn } from '@assay/shared/class-scans.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { missingNote } from '../../../papers/splitting/split-papers.ts'
import type { ProposalDoc, ProposedPageDoc, ProposedPaperDoc } from '../../../records/submissions/class-scan.model.ts'
import { NO_STUDENT, newPaper } from './propose-papers.ts'

export const UNMADE = 'This paper could not be made. Drop the page that cannot be read, and confirm it again.'

export const outdated = () =>
  new AppError('conflict', 'These papers were changed meanwhile. Reload the page to see them as they are.')

export function editProposal(before: ProposalDoc, edit: ClassScanEdit): ProposalDoc {
  const proposal = structuredClone(before)
  switch (edit.kind) {
    case 'move': {
      if (isSamePlace(proposal, edit)) break
      const pages = takePages(proposal, edit.pages)
      insertPages(proposal, pages, edit.paper, edit.before)
      break
    }
    case 'turn':
      for (const page of requirePages(proposal, edit.pages)) page.turn = turned(page.turn, edit.degrees)
      break
    case 'drop': {
      const apart = new Set(proposal.dropped.map(({ key }) => key))
      const inPapers = edit.pages.filter((key) => !apart.has(key))
      const taken = takePages(proposal, inPapers)
      proposal.dropped = [...proposal.dropped, ...taken].sort((a, b) => a.page - b.page)
      break
    }
    case 'duplicate': {
      const [page] = requirePages(proposal, [edit.page])
      if (!page) throw outdated()
      const copy = { ...page, key: randomUUID(), doubts: [] }
      const paper = edit.paper ?? proposal.papers.find(({ pages }) => pages.includes(page))?.key ?? null
      insertPages(proposal, [copy], paper, null)
      break
    }
    case 'split': {
      const index = proposal.papers.findIndex(({ pages }) => pages.some(({ key }) => key === edit.page))
      const paper = proposal.papers[index]
      if (!paper) throw outdated()
      const at = paper.pages.findIndex(({ key }) => key === edit.page)
      const rest = paper.pages.splice(at)
      proposal.papers.splice(index + 1, 0, newPaper(settled(rest)))
      break
    }
    case 'join': {
      const index = proposal.papers.findIndex(({ key }) => key === edit.paper)
      const [paper, previous] = [proposal.papers[index], proposal.papers[index - 1]]
      if (!paper || !previous) throw outdated()
      previous.pages.push(...settled(paper.pages))
      if (previous.student_id === null) {
        const { student_id, student_by, student_doubt, match_reason = null } = paper
        Object.assign(previous, { student_id, student_by, student_doubt, match_reason })
      }
      proposal.papers.splice(index, 1)
      break
    }
    case 'student': {
      const chosen = { student_id: edit.student_id, student_by: 'teacher' as const }
      Object.assign(requirePaper(proposal, edit.paper), chosen, { student_doubt: null, match_reason: null })
      break
    }
    case 'check':
      requirePaper(proposal, edit.paper).checked = edit.checked
      break
  }
  const former = new Map(before.papers.map((paper) => [paper.key, paper]))
  for (const paper of proposal.papers) {
    const old = former.get(paper.key)
    if (!old) continue
    // The PDF made of it has the former pages.
    if (placesOf(old.pages) !== placesOf(paper.pages)) delete paper.file
    if (keysOf(old.pages) === keysOf(paper.pages)) continue
    paper.notes = notesLeft(paper)
    // Its student was read on a page that it no longer has.
    if (paper.student_by === 'match' && !paper.pages.some(({ page }) => page === old.pages[0]?.page))
      Object.assign(paper, NO_STUDENT, { match_reason: null })
  }
  proposal.papers = proposal.papers.filter(({ pages }) => pages.length > 0)
  return proposal
}

const placesOf = (pages: readonly ProposedPageDoc[]) => pages.map(({ key, turn }) => `${key} ${turn}`).join()

const keysOf = (pages: readonly ProposedPageDoc[]) =>
  pages
    .map(({ key }) => key)
    .sort()
    .join()

const turned = (turn: PageTurn, degrees: 90 | 180 | 270): PageTurn => {
  const turns: PageTurn[] = [0, 90, 180, 270]
  return turns[((turn + degrees) / 90) % 4] ?? 0
}

/** A page that somebody has placed has been looked at. */
const settled = (pages: readonly ProposedPageDoc[]) => pages.map(({ offers: _, ...page }) => ({ ...page, doubts: [] }))

function requirePaper(proposal: ProposalDoc, key: string): ProposedPaperDoc {
  const paper = proposal.papers.find((one) => one.key === key)
  if (!paper) throw outdated()
  return paper
}

function requirePages(proposal: ProposalDoc, keys: readonly string[]): ProposedPageDoc[] {
  const all = new Map(
    [...proposal.papers.flatMap(({ pages }) => pages), ...proposal.dropped].map((one) => [one.key, one]),
  )
  return [...new Set(keys)].map((key) => {
    const page = all.get(key)
    if (!page) throw outdated()
    return page
  })
}

function takePages(proposal: ProposalDoc, keys: readonly string[]): ProposedPageDoc[] {
  const taken = requirePages(proposal, keys)
  const wanted = new Set(keys)
  for (const paper of proposal.papers) paper.pages = paper.pages.filter(({ key }) => !wanted.has(key))
  proposal.dropped = proposal.dropped.filter(({ key }) => !wanted.has(key))
  return settled(taken)
}

function insertPages(proposal: ProposalDoc, pages: ProposedPageDoc[], paper: string | null, before: string | null) {
  if (paper === null) {
    const first = Math.min(...pages.map((one) => one.page))
    const at = proposal.papers.findIndex((one) => (one.pages[0]?.page ?? 0) > first)
    proposal.papers.splice(at < 0 ? proposal.papers.length : at, 0, newPaper(pages))
    return
  }
  const into = requirePaper(proposal, paper)
  const at = before === null ? -1 : into.pages.findIndex(({ key }) => key === before)
  into.pages.splice(at < 0 ? into.pages.length : at, 0, ...pages)
}

function isSamePlace(proposal: ProposalDoc, { pages: moved, paper, before }: Extract<ClassScanEdit, { kind: 'move' }>) {
  const pages = proposal.papers.find(({ key }) => key === paper)?.pages.map(({ key }) => key) ?? []
  const rest = pages.filter((key) => !moved.includes(key))
  const at = before === null ? -1 : rest.indexOf(before)
  if (before !== null && moved.includes(before)) return pages.includes(before)
  return rest.toSpliced(at < 0 ? rest.length : at, 0, ...moved).join() === pages.join()
}

function notesLeft({ notes, pages }: ProposedPaperDoc): string[] {
  const shown = new Set(pages.map(({ blank_page }) => blank_page))
  return notes.flatMap((note) => {
    if (note === UNMADE || /^This paper has \d+ of \d+ pages\./.test(note)) return []
    if (!/^Pages? [\d, and]+ (is|are) missing\.$/.test(note)) return note
    const missing = [...note.matchAll(/\d+/g)].map(([number]) => Number(number)).filter((page) => !shown.has(page))
    return missing.length > 0 ? missingNote(missing) : []
  })
}
