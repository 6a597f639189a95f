import type { LaunchFacts } from '../launch-claims.ts'

/**
 * The custom parameters we ask for when Assay is registered: the LMS puts its values in place of what begins with `$`. One that it
 * does not know comes back as it is.
 */
export const registeredCustomParameters = {
  context_id_history: '$Context.id.history',
  resource_link_id_history: '$ResourceLink.id.history',
} as const

/** What our deep links carry: the assignment they were made for. */
export const deepLinkCustomParameters = (assignmentId: number) => ({ assignment_id: String(assignmentId) })

/** Under these names an LMS says what was copied: ours, those others' registrations use, and the variable's own (Blackboard, D2L). */
const contextHistoryNames = ['context_id_history', 'context_history', 'Context.id.history']
const linkHistoryNames = ['resource_link_id_history', 'link_history', 'ResourceLink.id.history']

type Custom = LaunchFacts['custom']

/** The first of these parameters that was filled in. */
function firstSubstituted(custom: Custom, names: readonly string[]): string | null {
  const values = names.map((name) => custom[name]?.trim())
  return values.find((value) => value !== undefined && value !== '' && !value.startsWith('$')) ?? null
}

/** Ids that something was copied from, newest first: a list with commas, each URL-encoded (LTI 1.3 core, appendix B). */
function historyIds(custom: Custom, names: readonly string[]): string[] {
  const listed = firstSubstituted(custom, names)?.split(',') ?? []
  return listed
    .map(decoded)
    .filter((id) => id !== '' && id.length <= 255)
    .slice(0, 50)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return text.trim()
  }
}

export const contextHistoryOf = (custom: Custom) => historyIds(custom, contextHistoryNames)
export const linkHistoryOf = (custom: Custom) => historyIds(custom, linkHistoryNames)

/** The assignment our own deep link was made for. Whoever edits the link in the LMS can write any other number there. */
export function customAssignmentId(custom: Custom): number | null {
  const named = firstSubstituted(custom, ['assignment_id'])
  return named !== null && /^[1-9]\d{0,14}$/.test(named) ? Number(named) : null
}

/** A page that the link asks for. */
export const customPath = (custom: Custom) => firstSubstituted(custom, ['path'])
