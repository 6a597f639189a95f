import { MAX_PHOTO_BYTES, MAX_PHOTOS } from '@assay/shared/rules/limits.ts'
import { IconCamera } from '@tabler/icons-react'
import { toast } from '../../../lib/toast.ts'
import classes from './photos.module.css'

interface Props {
  label: string
  add: (photos: File[]) => void
  off?: boolean
  count?: number
}

const isPicture = (file: File) => file.type.startsWith('image/') || /\.(jpe?g|png|webp|hei[cf])$/i.test(file.name)

export function PhotoButton({ label, add, off = false, count = 0 }: Props) {
  function choose(files: File[]) {
    const fit = files.filter((file) => isPicture(file) && file.size <= MAX_PHOTO_BYTES)
    if (fit.length < files.length) toast.error('Choose JPEG, PNG, WebP or HEIC pictures of at most 25 MB')
    const room = MAX_PHOTOS - count
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
