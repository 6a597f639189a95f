import { deletePhotoDraft, getPhotoDraft, type PhotoPage } from '@assay/shared/photo-drafts.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { formatDate } from '../../../lib/format.ts'
import { usePhotoPicture } from '../../photos/PhotoPicture.tsx'
import classes from './UnsentPhotos.module.css'

/** What a student added and did not hand in while that was possible. */
export function UnsentPhotos({ assignmentId }: { assignmentId: number }) {
  const { data: draft, patch } = useGet(getPhotoDraft, { assignmentId })
  const [deleting, setDeleting] = useState(false)
  if (!draft || draft.pages.length === 0) return null
  return (
    <Panel title="These photos were not handed in">
      <p className={classes.words}>
        Your instructor does not see them.
        {draft.expires_at && ` They are deleted on ${formatDate(draft.expires_at)}.`}
      </p>
      <ol className={classes.pages} aria-label="Photos not handed in">
        {draft.pages.map((page, i) => (
          <UnsentPhoto key={page.key} assignmentId={assignmentId} page={page} number={i + 1} />
        ))}
      </ol>
      <Button variant="default" onClick={() => setDeleting(true)}>
        Delete these photos
      </Button>
      <ConfirmModal
        opened={deleting}
        close={() => setDeleting(false)}
        title="Delete these photos?"
        confirmLabel="Delete photos"
        dangerous
        onConfirm={async () => {
          const { body } = await callApi(deletePhotoDraft, { params: { assignmentId } })
          patch(() => body)
        }}
      >
        They will be deleted. A paper you have handed in stays.
      </ConfirmModal>
    </Panel>
  )
}

function UnsentPhoto({ assignmentId, page, number }: { assignmentId: number; page: PhotoPage; number: number }) {
  const { url } = usePhotoPicture(assignmentId, page, 'sheet')
  return <li>{url ? <img src={url} alt={`Page ${number}`} /> : `Page ${number}`}</li>
}
