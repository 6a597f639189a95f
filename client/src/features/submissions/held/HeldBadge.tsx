import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { HELD } from '../list/row-status.ts'

/** Of a paper that is not graded until a teacher has decided. */
export function HeldBadge() {
  return <StatusBadge status={HELD.status}>{HELD.word}</StatusBadge>
}
