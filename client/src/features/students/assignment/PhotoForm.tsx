import { MAX_PHOTO_BYTES, MAX_PHOTOS } from '@assay/shared/rules/limits.ts'
import { handInPhotos, type PhotosHandedIn } from '@assay/shared/students.ts'
import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCamera, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { RejectedFilesNotice } from '../../../components/files/RejectedFilesNotice.tsx'
import { UploadProgressBar } from '../../../components/files/UploadProgressBar.tsx'
import { ApiError } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useRejectedFiles } from '../../../lib/files/rejected-files.ts'
import { formatBytes } from '../../../lib/format.ts'
import { useBeforeUnloadWarning } from '../../../lib/hooks/useBeforeUnloadWarning.ts'
import { useObjectUrl } from '../../../lib/hooks/useObjectUrl.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './PhotoForm.module.css'

interface Props {
  assignmentId: number
  photos: File[]
  choose: (photos: File[]) => void
  handedIn: (now: PhotosHandedIn) => void
  /** It was broken off: whether it arrived, the server knows. */
  uncertain: () => Promise<unknown>
}

/** Photos of a paper, a page each, in order. Refused or broken off, they stay chosen. */
export function PhotoForm({ assignmentId, photos, choose, handedIn, uncertain }: Props) {
  const { send, sending, progress, error, clear } = useSend(handInPhotos)
  const refresh = useRevalidate()
  const refusals = useRejectedFiles(photos)
  const [isHandwritten, setHandwritten] = useState(false)
  const [stopped, setStopped] = useState(false)
  const stop = useRef<AbortController | null>(null)
  useBeforeUnloadWarning(true)

  async function submit() {
    const abort = new AbortController()
    stop.current = abort
    setStopped(false)
    try {
      const body = { is_handwritten: isHandwritten }
      const now = await send({ params: { assignmentId }, body, files: { photos }, signal: abort.signal })
      toast.success('File uploaded successfully!')
      choose([])
      handedIn(now)
      void refresh('/student/courses', '/student/dashboard')
    } catch (cause) {
      if (!abort.signal.aborted) {
        // Another paper may have come in meanwhile.
        if (cause instanceof ApiError && cause.status === 409) void uncertain()
        return refusals.remember(cause, { photos })
      }
      clear()
      setStopped(true)
      void uncertain()
    }
  }

  function change(next: File[]) {
    clear()
    setStopped(false)
    choose(next)
  }

  const swap = (i: number, j: number) =>
    change(photos.map((photo, at) => (at === i ? photos[j] : at === j ? photos[i] : photo) ?? photo))

  return (
    <form
      className={classes.root}
      aria-label="Hand in photos"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className={classes.words}>
        Each photo becomes a page, in this order. The sheet in it is found and straightened. Where and when you took the
        photos is not stored.
      </p>
      <ol className={classes.pages} aria-label="Pages">
        {photos.map((photo, i) => (
          <li key={`${photo.name} ${photo.size} ${photo.lastModified}`}>
            <Thumbnail photo={photo} />
            <div className={classes.about}>
              <span>
                {i + 1}. {photo.name}
              </span>
              <span className={classes.words}>{formatBytes(photo.size)}</span>
              {refusals.reasonFor(photo) && <span className={classes.reason}>{refusals.reasonFor(photo)}</span>}
            </div>
            <PageButton label={`Move page ${i + 1} up`} off={sending || i === 0} act={() => swap(i, i - 1)}>
              <IconArrowUp size={18} />
            </PageButton>
            <PageButton
              label={`Move page ${i + 1} down`}
              off={sending || i === photos.length - 1}
              act={() => swap(i, i + 1)}
            >
              <IconArrowDown size={18} />
            </PageButton>
            <PageButton
              label={`Remove page ${i + 1}`}
              off={sending}
              act={() => change(photos.filter((one) => one !== photo))}
            >
              <IconX size={18} />
            </PageButton>
          </li>
        ))}
      </ol>
      <PhotoButton label="Add photos" off={sending} chosen={photos} add={(more) => change([...photos, ...more])} />
      {error && !refusals.settled && (
        <RejectedFilesNotice error={error} rejected={refusals.refused} fallback="Failed to upload files" />
      )}
      {stopped && (
        <Notice tone="warn">Stopped. Your photos are still selected. The paper that counts is shown above.</Notice>
      )}
      {sending && <UploadProgressBar progress={progress} />}
      <div className={classes.buttons}>
        <Checkbox
          label="My paper is handwritten"
          disabled={sending}
          checked={isHandwritten}
          onChange={(event) => setHandwritten(event.currentTarget.checked)}
        />
        {sending ? (
          <Button variant="default" onClick={() => stop.current?.abort()}>
            Stop
          </Button>
        ) : (
          <Button type="submit">
            Hand in {photos.length} {photos.length === 1 ? 'page' : 'pages'}
          </Button>
        )}
      </div>
    </form>
  )
}

interface PhotoButtonProps {
  label: string
  add: (photos: File[]) => void
  off?: boolean
  chosen?: readonly File[]
}

const isPicture = (file: File) => file.type.startsWith('image/') || /\.(jpe?g|png|webp|hei[cf])$/i.test(file.name)

/** Opens the camera or the photos, as the phone asks. */
export function PhotoButton({ label, add, off = false, chosen = [] }: PhotoButtonProps) {
  function choose(files: File[]) {
    const isChosen = (file: File) =>
      chosen.some((one) => one.name === file.name && one.size === file.size && one.lastModified === file.lastModified)
    const fit = files.filter((file) => isPicture(file) && file.size <= MAX_PHOTO_BYTES && !isChosen(file))
    if (files.some((file) => !isPicture(file) || file.size > MAX_PHOTO_BYTES))
      toast.error('Choose JPEG, PNG, WebP or HEIC pictures of at most 25 MB')
    const room = MAX_PHOTOS - chosen.length
    if (fit.length > room) toast.error(`A paper may have ${MAX_PHOTOS} photos`)
    if (fit.length > 0 && room > 0) add(fit.slice(0, room))
  }
  return (
    <label className={classes.add} data-disabled={off || undefined}>
      <IconCamera size={20} stroke={1.5} aria-hidden />
      <input
        type="file"
        accept="image/jpeg,image/png,image/webp,image/heic,image/heif,.heic,.heif"
        multiple
        disabled={off}
        onChange={(event) => {
          choose([...(event.currentTarget.files ?? [])])
          // The same file may be chosen again after it was removed.
          event.currentTarget.value = ''
        }}
      />
      {label}
    </label>
  )
}

interface PageButtonProps {
  label: string
  off: boolean
  act: () => void
  children: ReactNode
}

function PageButton({ label, off, act, children }: PageButtonProps) {
  return (
    <ActionIcon
      className={classes.act}
      variant="subtle"
      color="gray"
      size={40}
      aria-label={label}
      disabled={off}
      onClick={act}
    >
      {children}
    </ActionIcon>
  )
}

/** Most browsers cannot show HEIC: then a camera stands for it. */
function Thumbnail({ photo }: { photo: File }) {
  const url = useObjectUrl(photo)
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
