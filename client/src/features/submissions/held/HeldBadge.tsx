import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { HELD } from '../list/row-status.ts'

export function HeldBadge() {
  return <StatusBadge status={HELD.status}>{HELD.word}</StatusBadge>
}
