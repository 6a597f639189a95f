import type { BulkRosterReply, RosterResult } from '@assay/shared/roster.ts'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { plural } from '../../lib/format.ts'
import classes from './RosterPage.module.css'

type Figures = Pick<BulkRosterReply, 'total_processed' | 'successful_enrollments' | 'failed_enrollments'>

/** “Processed 500 students. 493 successful, 7 failed.” */
export function processedSummary(figures: Figures): string {
  const { total_processed, successful_enrollments, failed_enrollments } = figures
  return `Processed ${total_processed} students. ${successful_enrollments} successful, ${failed_enrollments} failed.`
}

/** Those that failed come first. */
export function BulkResults({ results }: { results: RosterResult[] }) {
  if (results.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={classes.results} tabIndex={0} aria-label="Upload results">
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Email</th>
            <th scope="col">Status</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          {results
            .toSorted((a, b) => Number(a.success) - Number(b.success))
            .map(({ row, email, success, message }) => (
              <tr key={row}>
                <td>{row}</td>
                <td>{email || '–'}</td>
                <td>
                  <StatusBadge status={success ? 'submitted' : 'failed'}>{success ? 'Success' : 'Failed'}</StatusBadge>
                </td>
                <td>{message}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}

export const failedRowsSummary = (count: number) => `${plural(count, 'row')} could not be added:`
