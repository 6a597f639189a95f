import type { ZipEntry } from '../../lib/storage/zip-stream.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { submissionBatches } from '../submissions/submission-batches.ts'
import { drawGradedPaper, loadCurrentGrade } from './graded-paper.service.ts'
import { createUniqueNames, paperName } from './paper-file-name.ts'

const BATCH = 100
/** Papers drawn at a time: one is drawn while the last is sent. With them the memory this takes is bounded. */
const AHEAD = 2

/** Every graded paper of an assignment with its current grade. */
export async function* gradedPapers(
  assignment: AssignmentDoc,
  services: Services,
  signal: AbortSignal,
): AsyncGenerator<ZipEntry> {
  const uniqueName = createUniqueNames()
  const drawing: Promise<ZipEntry | null>[] = []
  for await (const batch of submissionBatches(assignment._id, BATCH, 'graded')) {
    for (const submission of batch) {
      signal.throwIfAborted()
      const source = await loadCurrentGrade(assignment, submission, services.clock.now())
      if (!source) continue
      const name = uniqueName(paperName(source))
      const next = drawGradedPaper(source, submission.file.hash, services, { signal }).then((bytes) => ({
        name,
        bytes,
      }))
      // Failing while an earlier one is awaited is told when its turn comes.
      next.catch(() => {})
      drawing.push(next)
      const ready = drawing.length >= AHEAD ? await drawing.shift() : null
      if (ready) yield ready
    }
  }
  for (const last of drawing) {
    const ready = await last
    if (ready) yield ready
  }
}
