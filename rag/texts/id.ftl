no-model-passages = Saat ini tidak ada model bahasa yang tersedia, jadi ini bukan jawaban sendiri. Bagian dokumen berikut paling dekat dengan pertanyaan:
no-model = Saat ini tidak ada model bahasa yang tersedia, dan dokumen tidak memuat apa pun yang mendekati pertanyaan ini. Silakan coba lagi nanti.
nearest = Dokumen yang paling dekat: { $sources }.
budget-exhausted = Pertanyaan ini menghabiskan batasnya sebelum ada jawaban. Silakan ajukan pertanyaan yang lebih sempit.
budget-passages = Batas untuk satu pertanyaan habis sebelum jawaban selesai. Bagian dokumen berikut paling dekat:
spent-passages = Jatah harian di sini habis sampai 00:00 UTC, jadi ini bukan jawaban sendiri. Bagian dokumen berikut paling dekat dengan pertanyaan:
spent = Jatah harian di sini habis sampai 00:00 UTC, dan dokumen tidak memuat apa pun yang mendekati pertanyaan ini. Silakan bertanya lagi nanti.
unusable-passages = Setelah beberapa kali percobaan tidak ada jawaban yang layak. Bagian dokumen berikut paling dekat dengan pertanyaan Anda:
