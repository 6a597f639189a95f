import { LRUCache } from 'lru-cache'
import type { Anchor } from '../../../grader/grader.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { RunHead } from '../../../records/grading/run.model.ts'
import { findAnchors } from '../../grades/anchors.ts'
import { CACHED_RUNS } from './run-class.ts'

/** Those of the runs under way. */
const anchorsByClass = new LRUCache<string, Promise<Anchor[]>>({ max: CACHED_RUNS })

/**
 * The teacher's decisions a run measures by, looked up once for all its papers. After a restart they are looked up again,
 * and may be a few more.
 */
export function cachedRunAnchors(
  { class_key }: Pick<RunHead, 'class_key'>,
  assignment: AssignmentDoc,
): Promise<Anchor[]> {
  if (!class_key) return findAnchors(assignment)
  const known = anchorsByClass.get(class_key)
  if (known) return known
  const loading = findAnchors(assignment)
  anchorsByClass.set(class_key, loading)
  loading.catch(() => anchorsByClass.peek(class_key) === loading && anchorsByClass.delete(class_key))
  return loading
}
