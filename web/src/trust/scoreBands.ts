/** Bands of the score, best first. */
export const scoreBands = ['76-100', '51-75', '26-50', '0-25'] as const;
