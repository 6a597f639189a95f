import type { Anchor } from '../../grader/grader.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { anchorsOf } from '../grades/anchors.ts'
import type { RunHead } from './run.model.ts'

/** The last run or two's. */
const recent = new Map<string, Promise<Anchor[]>>()
const KEPT = 2

/**
 * The teacher's decisions a run measures by, looked up once for all its papers. After a restart they are looked up anew,
 * and may be a few more.
 */
export function anchorsOfRun(
  { class_key }: Pick<RunHead, 'class_key'>,
  assignment: AssignmentDoc,
): Promise<Anchor[]> {
  if (!class_key) return anchorsOf(assignment)
  const known = recent.get(class_key)
  if (known) return known
  const loading = anchorsOf(assignment)
  recent.set(class_key, loading)
  loading.catch(() => recent.delete(class_key))
  const oldest = recent.keys().next().value
  if (recent.size > KEPT && oldest !== undefined) recent.delete(oldest)
  return loading
}
