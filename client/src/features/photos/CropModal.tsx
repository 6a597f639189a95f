import type { PhotoCorners, PhotoPage, PhotoTurns } from '@assay/shared/photo-drafts.ts'
import { Button, Loader, Modal } from '@mantine/core'
import { IconMaximize, IconRotateClockwise } from '@tabler/icons-react'
import { useState } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { type ApiError, asApiError } from '../../lib/api/api-error.ts'
import classes from './CropModal.module.css'
import { CropStage } from './CropStage.tsx'
import { isWhole, wholePhoto } from './crop-geometry.ts'
import { usePhotoPicture } from './PhotoPicture.tsx'
import { nextTurn } from './photo-turns.ts'

interface Props {
  assignmentId: number
  page: PhotoPage
  number: number
  close: () => void
  /** @throws {ApiError} */
  save: (change: { corners: PhotoCorners | null; turns: PhotoTurns }) => Promise<void>
}

/** All of a photo with the corners of its sheet, to be moved. */
export function CropModal({ assignmentId, page, number, close, save }: Props) {
  const { url, failed, retry } = usePhotoPicture(assignmentId, page, 'photo')
  const [corners, setCorners] = useState(page.corners ?? wholePhoto)
  const [turns, setTurns] = useState(page.turns)
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)

  async function done() {
    setSaving(true)
    setFailure(null)
    try {
      await save({ corners: isWhole(corners) ? null : corners, turns })
      close()
    } catch (cause) {
      setFailure(asApiError(cause))
      setSaving(false)
    }
  }

  return (
    <Modal
      opened
      // A failure is told here, so it stays until the change is stored.
      onClose={saving ? () => {} : close}
      title={<span className={classes.title}>Crop page {number}</span>}
      fullScreen
      radius={0}
      closeButtonProps={{ 'aria-label': 'Close', disabled: saving }}
      classNames={{ content: classes.content, body: classes.body }}
    >
      <p className={classes.words}>Drag the corners to those of the sheet, or move them with the arrow keys.</p>
      <div className={classes.stage}>
        {url ? (
          <CropStage url={url} corners={corners} turns={turns} change={setCorners} />
        ) : failed ? (
          <Notice tone="bad" actions={<Button onClick={retry}>Try again</Button>}>
            The photo could not be loaded.
          </Notice>
        ) : (
          <Loader aria-label="Loading the photo" />
        )}
      </div>
      {failure && <Notice tone="bad">{failure.message.replace(`${page.file_name}: `, '')}</Notice>}
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconRotateClockwise size={18} aria-hidden />}
          disabled={saving}
          onClick={() => setTurns(nextTurn(turns))}
        >
          Turn
        </Button>
        <Button
          variant="default"
          leftSection={<IconMaximize size={18} aria-hidden />}
          disabled={saving}
          onClick={() => setCorners(wholePhoto)}
        >
          Use the whole picture
        </Button>
        <Button className={classes.done} loading={saving} onClick={() => void done()}>
          Done
        </Button>
      </div>
    </Modal>
  )
}
