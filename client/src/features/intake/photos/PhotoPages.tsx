import type { PhotoDoubt, PhotoPage } from '@assay/shared/photo-drafts.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { ActionIcon, Loader } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCamera, IconCrop, IconRotateClockwise, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { UnsavedChanges } from '../../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { UploadProgress } from '../../../components/files/UploadProgress.tsx'
import { useObjectUrl } from '../../../lib/api/usePicture.ts'
import { useRowFocus } from '../../../lib/hooks/useRowFocus.ts'
import { CropModal, nextTurn } from './CropModal.tsx'
import { PhotoButton } from './PhotoButton.tsx'
import classes from './photos.module.css'
import type { PhotoDraftState, QueuedPhoto } from './usePhotoDraft.ts'
import { usePhotoPicture } from './usePhotoPicture.ts'

export function PhotoPages({ photos, off }: { photos: PhotoDraftState; off: boolean }) {
  const { pages, queue, busyKeys } = photos
  const [cropped, setCropped] = useState<string | null>(null)
  const announce = useAnnounce()
  const { root, focusNext } = useRowFocus<HTMLOListElement>()

  function move(page: PhotoPage, at: number, by: -1 | 1) {
    // At an end of the list only the way back is left.
    focusNext(`${by < 0 ? 'up' : 'down'}-${page.key}`, `${by < 0 ? 'down' : 'up'}-${page.key}`)
    announce(`Now page ${at + 1 + by} of ${pages.length}.`)
    void photos.move(page.key, by)
  }

  function remove(page: PhotoPage, at: number) {
    focusNext(`remove-${(pages[at + 1] ?? pages[at - 1])?.key}`)
    announce(`Page ${at + 1} removed.`)
    void photos.remove(page.key)
  }

  const inEditor = pages.find(({ key }) => key === cropped)
  return (
    <>
      <Doubts pages={pages} />
      <ol className={classes.pages} aria-label="Pages" ref={root} tabIndex={-1}>
        {pages.map((page, i) => (
          <PhotoPageRow
            key={page.key}
            assignmentId={photos.assignmentId}
            page={page}
            number={i + 1}
            last={i === pages.length - 1}
            off={off}
            busy={busyKeys.includes(page.key)}
            move={(by) => move(page, i, by)}
            turn={() => void photos.turn(page.key, page.corners, nextTurn(page.turns))}
            crop={() => setCropped(page.key)}
            remove={() => remove(page, i)}
          />
        ))}
        {queue.map((photo) => (
          <QueuedPhotoRow
            key={photo.key}
            photo={photo}
            sendAgain={() => photos.sendAgain(photo.key)}
            remove={() => {
              focusNext()
              photos.takeBack(photo.key)
              // It may have arrived while its reply was lost.
              void photos.reload()
            }}
          />
        ))}
      </ol>
      <UnsavedChanges when={queue.length > 0}>
        Some photos are not sent yet. If you leave this page, you have to choose them again.
      </UnsavedChanges>
      <PhotoButton label="Add photos" off={off} count={pages.length + queue.length} add={photos.send} />
      {inEditor && (
        <CropModal
          key={inEditor.key}
          assignmentId={photos.assignmentId}
          page={inEditor}
          number={pages.indexOf(inEditor) + 1}
          close={() => setCropped(null)}
          save={(change) => photos.straighten(inEditor.key, change)}
        />
      )}
    </>
  )
}

function Doubts({ pages }: { pages: readonly PhotoPage[] }) {
  const numbersWith = (doubt: PhotoDoubt) =>
    pages.flatMap(({ doubts }, i) => (doubts.includes(doubt) ? [String(i + 1)] : []))
  const [noEdges, far] = [numbersWith('no_edges'), numbersWith('far')]
  if (noEdges.length + far.length === 0) return null
  const named = (numbers: string[]) => `${numbers.length === 1 ? 'page' : 'pages'} ${listOf(numbers)}`
  return (
    <Notice
      tone="warn"
      title={`Check ${named([...new Set([...noEdges, ...far])].sort((a, b) => Number(a) - Number(b)))}`}
    >
      {noEdges.length > 0 && (
        <p className="plain">
          The edges of the sheet were not found on {named(noEdges)}, so all of the photo is used. Crop it to set the
          corners yourself.
        </p>
      )}
      {far.length > 0 && (
        <p className="plain">
          The sheet is small in the photo of {named(far)}. If its writing is hard to read, take it again from nearer.
        </p>
      )}
    </Notice>
  )
}

interface QueuedPhotoRowProps {
  photo: QueuedPhoto
  sendAgain: () => void
  remove: () => void
}

function QueuedPhotoRow({ photo, sendAgain, remove }: QueuedPhotoRowProps) {
  const { file, state, share, reason } = photo
  return (
    <li>
      <LocalPicture file={file} />
      <div className={classes.about}>
        <span className={classes.file}>{file.name}</span>
        <span
          className={state === 'refused' ? classes.reason : classes.words}
          role={state === 'refused' ? 'alert' : undefined}
        >
          {state === 'refused' ? reason : stateWords(photo)}
        </span>
        {state === 'sending' && <UploadProgress name={file.name} share={share} />}
        {state === 'refused' && (
          <SecondaryButton className={classes.again} onClick={sendAgain}>
            Try again
          </SecondaryButton>
        )}
      </div>
      <Action label={`Remove ${file.name}`} name={`remove-${photo.key}`} off={false} act={remove}>
        <IconX size={20} />
      </Action>
    </li>
  )
}

function stateWords({ state, share }: QueuedPhoto): string {
  if (state === 'offline') return 'No connection. It is sent as soon as there is one.'
  if (state === 'waiting') return 'Waiting for the photos before it'
  return share < 1 ? `Sending, ${Math.round(share * 100)} %` : 'Finding the sheet…'
}

/** Most browsers cannot show HEIC: then a camera stands for it. */
function LocalPicture({ file }: { file: File }) {
  const url = useObjectUrl(file)
  const [failed, setFailed] = useState(false)
  return (
    <span className={classes.thumbnail}>
      {url && !failed ? (
        <img src={url} alt="" onError={() => setFailed(true)} />
      ) : (
        <IconCamera size={22} stroke={1.4} aria-hidden />
      )}
    </span>
  )
}

interface PhotoPageRowProps {
  assignmentId: number
  page: PhotoPage
  number: number
  last: boolean
  off: boolean
  busy: boolean
  move: (by: -1 | 1) => void
  turn: () => void
  crop: () => void
  remove: () => void
}

function PhotoPageRow({ page, number, last, off, busy, move, turn, crop, remove, ...ids }: PhotoPageRowProps) {
  const { url, error, retry } = usePhotoPicture(ids.assignmentId, page, 'sheet')
  return (
    <li>
      <button
        type="button"
        className={classes.thumbnail}
        aria-label={error ? `Show page ${number} again` : `Look at page ${number}`}
        disabled={off}
        onClick={error ? retry : crop}
      >
        {url ? <img src={url} alt={`Page ${number}, straightened`} /> : <IconCamera size={22} stroke={1.4} />}
        {busy && <Loader size={24} className={classes.busy} aria-label="Straightening" />}
      </button>
      <div className={classes.about}>
        <span className={classes.name}>Page {number}</span>
        <span className={classes.file}>{page.file_name}</span>
        <div className={classes.actions}>
          <Action
            label={`Move page ${number} up`}
            name={`up-${page.key}`}
            off={off || number === 1}
            act={() => move(-1)}
          >
            <IconArrowUp size={20} />
          </Action>
          <Action label={`Move page ${number} down`} name={`down-${page.key}`} off={off || last} act={() => move(1)}>
            <IconArrowDown size={20} />
          </Action>
          <Action label={`Turn page ${number}`} name={`turn-${page.key}`} off={off || busy} act={turn}>
            <IconRotateClockwise size={20} />
          </Action>
          <Action label={`Crop page ${number}`} name={`crop-${page.key}`} off={off || busy} act={crop}>
            <IconCrop size={20} />
          </Action>
          <Action label={`Remove page ${number}`} name={`remove-${page.key}`} off={off} act={remove}>
            <IconX size={20} />
          </Action>
        </div>
      </div>
    </li>
  )
}

interface ActionProps {
  label: string
  /** For `useRowFocus`. */
  name: string
  off: boolean
  act: () => void
  children: ReactNode
}

function Action({ label, name, off, act, children }: ActionProps) {
  return (
    <ActionIcon
      className={classes.act}
      color="gray"
      size={44}
      aria-label={label}
      data-focus={name}
      disabled={off}
      onClick={act}
    >
      {children}
    </ActionIcon>
  )
}
