import { coverRegions } from '../../grader/anonymizer/cover-names.ts'
import type { RubricPicture } from '../../grader/llm-grading/rubric/rubric-prompt.ts'
import { isWhollyDamaged } from '../../grader/transcribe/pages-to-read.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { readStoredPaper, renderStoredPage } from '../submissions/pages/paper-reading.service.ts'

/** In pixels: print is read well at it. */
const IMAGE_WIDTH = 1200
/** Of each paper; a longer one is read from its text. */
const MAX_PAGES = 8

/** They are the teacher's and name no student, so nothing is covered. */
export async function assignmentPictures(
  { blank, key }: Pick<AssignmentDoc, 'blank' | 'key'>,
  services: Services,
  signal: AbortSignal,
): Promise<RubricPicture[]> {
  const pictures: RubricPicture[] = []
  for (const [name, { hash }] of [
    ['blank', blank],
    ['key', key],
  ] as const) {
    const { pages } = await readStoredPaper(hash, services, signal)
    const shown = pages.filter((page) => !isWhollyDamaged(page))
    for (const { number, width, height } of shown.slice(0, MAX_PAGES)) {
      const png = await renderStoredPage(hash, number, IMAGE_WIDTH, services)
      const picture = await coverRegions(png, { width, height }, [])
      pictures.push({ title: `Page ${number} of the ${name}`, picture })
      signal.throwIfAborted()
    }
  }
  return pictures
}
