import type { Anchor } from '../../grader/grader.ts'
import { Recent, RUNS_AT_HAND } from '../../lib/recent.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { anchorsOf } from '../grades/anchors.ts'
import type { RunHead } from './run.model.ts'

/** Those of the runs under way. */
const recent = new Recent<Promise<Anchor[]>>(RUNS_AT_HAND)

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
  loading.catch(() => recent.forget(class_key, loading))
  return loading
}
