/** To be imported before all else: when the bundle began to be evaluated. */
performance.mark('import begins');
