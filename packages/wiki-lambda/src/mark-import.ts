/** Imported before everything else: marks when the evaluation of the bundle began. */
performance.mark('import begins');
