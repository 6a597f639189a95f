/** To whoever is about to remove a student of the LMS. */
export function LmsRemovalNote() {
  return (
    <p>
      The LMS lists them, so they come back with the next sync. To take them off for good, remove them from the course
      there.
    </p>
  )
}
