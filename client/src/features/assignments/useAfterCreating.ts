import { generateRubric } from '@assay/shared/rubric-endpoints.ts'
import { useSearchParams } from 'react-router-dom'
import { useSend } from '../../lib/api/api-hooks.ts'
import { choicePath } from '../lti/deep-linking/choice-paths.ts'
import { useLaunchLink } from '../lti/useLaunchLink.ts'
import { rubricPath } from '../rubrics/rubric-path.ts'

interface AfterCreating {
  /** Where a teacher goes with the new assignment; first it is put to its use, if that is still to be done. */
  pathFor: (assignmentId: number) => string | Promise<string>
  /** Where they go without; null where they may go anywhere. */
  back: { label: string; to: string } | null
  /** What it will be used for, where that is not plain. */
  notice: string | null
  suggestedName: string
  /** What a toast says then; null where the page they come to says it. */
  toast: string | null
}

const withoutPurpose: Omit<AfterCreating, 'pathFor'> = {
  back: null,
  notice: null,
  suggestedName: '',
  toast: 'Assignment created and files uploaded successfully!',
}

/**
 * To checking the rubric, which is made meanwhile; with `for=link`, once the link of this launch opens it; or, with `for=choice`, back to where
 * assignments are being added to an LMS course, with it chosen beside what was chosen before and its rubric to be checked from there.
 */
export function useAfterCreating(): AfterCreating {
  const [search] = useSearchParams()
  const link = useLaunchLink()
  const { send } = useSend(generateRubric)
  // Where it cannot begin, the rubric's page says so and offers it.
  const begin = (assignmentId: number) =>
    send({ params: { assignmentId }, body: { by: 'rules' } }).catch(() => undefined)
  const purpose = search.get('for')
  if (purpose === 'choice') return backToDeepLinking(search.get('chosen'), begin)
  if (purpose === 'link' && link) {
    const { title, lms, bind } = link
    const notice = `${title ? `“${title}”` : 'The link'} in ${lms} will open this assignment. Students see it after you publish it.`
    return {
      ...withoutPurpose,
      async pathFor(assignmentId) {
        await begin(assignmentId)
        return bind(assignmentId)
      },
      back: { label: 'Set up', to: '/lti/set-up' },
      notice,
      suggestedName: title ?? '',
    }
  }
  return {
    ...withoutPurpose,
    async pathFor(assignmentId) {
      await begin(assignmentId)
      return rubricPath(assignmentId)
    },
  }
}

function backToDeepLinking(before: string | null, begin: (assignmentId: number) => Promise<unknown>): AfterCreating {
  const chosen = before ? [before] : []
  return {
    ...withoutPurpose,
    async pathFor(id) {
      await begin(id)
      return choicePath([...chosen, String(id)], id)
    },
    back: { label: 'Add assignments', to: choicePath(chosen) },
    // There it is in the list, chosen: a toast would only cover the button.
    toast: null,
  }
}
