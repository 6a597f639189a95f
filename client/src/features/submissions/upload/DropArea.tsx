import type { ReactNode } from 'react'
import { useDropzone } from 'react-dropzone'
import { partitionPdfs, rejectionMessage } from '../../../lib/files/pdf-validation.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './DropArea.module.css'

/** For the mouse alone: Upload Files does the same by keyboard. */
export function DropArea({ onFiles, children }: { onFiles: (files: File[]) => void; children: ReactNode }) {
  const zone = useDropzone({
    noClick: true,
    noKeyboard: true,
    onDrop: (files) => {
      const { taken, refused } = partitionPdfs(files, 0, Number.POSITIVE_INFINITY)
      if (refused.length > 0) toast.error(rejectionMessage(refused))
      if (taken.length > 0) onFiles(taken)
    },
  })
  return (
    <div {...zone.getRootProps({ className: classes.root, role: undefined, tabIndex: undefined })}>
      {children}
      {zone.isDragActive && (
        <div className={classes.over} aria-hidden="true">
          <span>Drop student papers to upload them</span>
        </div>
      )}
    </div>
  )
}
