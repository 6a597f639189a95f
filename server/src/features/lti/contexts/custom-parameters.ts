import type { LaunchFacts } from '../launch-claims.ts'

/** The LMS substitutes variables that begin with `$`, and returns unknown ones unchanged. */
export const registeredCustomParameters = {
  context_id_history: '$Context.id.history',
  resource_link_id_history: '$ResourceLink.id.history',
} as const

export const deepLinkCustomParameters = (assignmentId: number) => ({ assignment_id: String(assignmentId) })

/** Ours, common ones, and the variable's own name (Blackboard, D2L). */
const contextHistoryNames = ['context_id_history', 'context_history', 'Context.id.history']
const linkHistoryNames = ['resource_link_id_history', 'link_history', 'ResourceLink.id.history']

type Custom = LaunchFacts['custom']

function firstSubstituted(custom: Custom, names: readonly string[]): string | null {
  const values = names.map((name) => custom[name]?.trim())
  return values.find((value) => value !== undefined && value !== '' && !value.startsWith('$')) ?? null
}

/** Newest first; comma-separated and URL-encoded (LTI 1.3 core, appendix B). */
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

/** Not trusted: anybody who can edit the link in the LMS can change the number. */
export function customAssignmentId(custom: Custom): number | null {
  const named = firstSubstituted(custom, ['assignment_id'])
  return named !== null && /^[1-9]\d{0,14}$/.test(named) ? Number(named) : null
}

export const customPath = (custom: Custom) => firstSubstituted(custom, ['path'])
