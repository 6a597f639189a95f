import { generateRubric } from '@assay/shared/rubric-endpoints.ts'
import { useSearchParams } from 'react-router-dom'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useLaunchLink } from '../lti/useLaunchLink.ts'

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
 * assignments are being added to an LMS course, with it chosen beside what was chosen before.
 */
export function useAfterCreating(): AfterCreating {
  const [search] = useSearchParams()
  const link = useLaunchLink()
  const { send } = useSend(generateRubric)
  const defaultAfterCreating: AfterCreating = {
    ...withoutPurpose,
    async pathFor(assignmentId) {
      // Where it cannot begin, the page that comes says so and offers it.
      await send({ params: { assignmentId }, body: { by: 'rules' } }).catch(() => undefined)
      return `/assignments/${assignmentId}/rubric`
    },
  }
  const purpose = search.get('for')
  if (purpose === 'link' && link) {
    const { title, lms, bind } = link
    const notice = `${title ? `“${title}”` : 'The link'} in ${lms} will open this assignment. Students see it after you publish it.`
    const back = { label: 'Set up', to: '/lti/set-up' }
    return { ...defaultAfterCreating, pathFor: bind, back, notice, suggestedName: title ?? '' }
  }
  return purpose === 'choice' ? backToDeepLinking(search.get('chosen')) : defaultAfterCreating
}

function backToDeepLinking(before: string | null): AfterCreating {
  const choice = (chosen: string[]) =>
    `/lti/choose${chosen.length > 0 ? `?${new URLSearchParams({ chosen: chosen.join(',') })}` : ''}`
  const chosen = before ? [before] : []
  return {
    ...withoutPurpose,
    pathFor: (id) => choice([...chosen, String(id)]),
    back: { label: 'Add assignments', to: choice(chosen) },
    // There it is in the list, chosen: a toast would only cover the button.
    toast: null,
  }
}
