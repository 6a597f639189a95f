import { z } from 'zod'

/** What happens to work that comes after the due date: taken like any other, taken and marked late, or refused. */
export const LateRule = z.enum(['accept', 'mark_late', 'refuse'])
export type LateRule = z.infer<typeof LateRule>

/** An assignment's dates. None set: open from publishing on. */
export interface Dates {
  available_at: Date | null
  due_at: Date | null
  closes_at: Date | null
  late_rule: LateRule
}

/** Another due and closing date for one student; without a closing date the assignment's holds, but not before the new due date. */
export interface ExtendedDates {
  due_at: Date
  closes_at: Date | null
}

/**
 * Where a student stands in time. `upcoming`: not open yet. `open`: hand in. `overdue`: past the due date and still taken,
 * marked late where the rule says so. `closed`: nothing is taken any more.
 */
export type WindowState = 'upcoming' | 'open' | 'overdue' | 'closed'

export interface HandInWindow {
  state: WindowState
  /** True when a paper handed in now is marked late. */
  late: boolean
  /** The dates that hold for this student. */
  due_at: Date | null
  closes_at: Date | null
}

/** A moment belongs to what it ends: handed in at the very due date is in time. */
export function handInWindow(dates: Dates, extension: ExtendedDates | null, now: Date): HandInWindow {
  const due_at = extension?.due_at ?? dates.due_at
  const closes_at = extension ? closingOf(extension, dates.closes_at) : dates.closes_at
  const window = { due_at, closes_at, late: false }
  if (dates.available_at && now < dates.available_at) return { ...window, state: 'upcoming' }
  if (closes_at && now > closes_at) return { ...window, state: 'closed' }
  if (!due_at || now <= due_at) return { ...window, state: 'open' }
  if (dates.late_rule === 'refuse') return { ...window, state: 'closed' }
  return { ...window, state: 'overdue', late: dates.late_rule === 'mark_late' }
}

function closingOf(extension: ExtendedDates, closes: Date | null): Date | null {
  if (extension.closes_at) return extension.closes_at
  return closes && closes < extension.due_at ? extension.due_at : closes
}
